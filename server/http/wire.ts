import type { z } from 'zod'
import { toWire } from '#contract/frame/instant.ts'
import { type Snake, snake } from '#database/frame/row.ts'

/** The type of a column for a field: an instant is a date, a word of a vocabulary is any text. */
type Stored<V> = V extends string
  ? string | Date
  : V extends number
    ? number
    : V extends boolean
      ? boolean
      : V extends null
        ? null
        : unknown

/** A row with the fields of a schema, each in the column of its name: `companyName` in `company_name`. */
type RowOf<Fields> = { [F in keyof Fields & string as Snake<F>]: Stored<Fields[F]> }

type FactsOf<Fields> = { [F in keyof Fields]: Stored<Fields[F]> }
type Values = Readonly<Record<string, unknown>>

/**
 * A row as its schema presents it. `given` has the fields without a column of their name, or stored in another form. The
 * schema of the answer checks the values.
 */
export function wireOf<Schema extends z.ZodObject, const Given extends Partial<z.input<Schema>> = Record<never, never>>(
  { shape }: Schema,
  row: RowOf<Omit<z.input<Schema>, keyof Given>>,
  conversions?: Given,
): z.output<Schema> {
  return { ...inWire(shape, row, 'column'), ...conversions } as z.output<Schema>
}

/** The same for facts by the names of their fields, as a query or the domain puts them together. */
export function wireOfFacts<
  Schema extends z.ZodObject,
  const Given extends Partial<z.input<Schema>> = Record<never, never>,
>({ shape }: Schema, facts: FactsOf<Omit<z.input<Schema>, keyof Given>>, conversions?: Given): z.output<Schema> {
  return { ...inWire(shape, facts, 'name'), ...conversions } as z.output<Schema>
}

/** The machine of a row by the API's names. */
export const posOf = (row: { machine_id: string; machine_name: string; serial: string }) => ({
  posId: row.machine_id,
  posName: row.machine_name,
  posSerial: row.serial,
})

interface Field {
  name: string
  column: string
}

/** The fields of each schema: a list names its columns once, not in every row. */
const fields = new WeakMap<object, readonly Field[]>()

function fieldsOf(shape: object): readonly Field[] {
  const existing = fields.get(shape)
  if (existing) return existing
  const all = Object.keys(shape).map((name) => ({ name, column: snake(name) }))
  fields.set(shape, all)
  return all
}

function inWire(shape: object, values: Values, by: keyof Field): Record<string, unknown> {
  const wire: Record<string, unknown> = {}
  for (const field of fieldsOf(shape)) {
    const value = values[field[by]]
    wire[field.name] = value instanceof Date ? toWire(value) : value
  }
  return wire
}
