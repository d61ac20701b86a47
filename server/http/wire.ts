import type { z } from 'zod'
import { toWire } from '#contract/frame/instant.ts'
import { type Snake, snake } from '#database/frame/snake.ts'

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

/**
 * A row as its schema presents it. `given` has the fields without a column of their name, or stored in another form. The
 * schema of the answer checks the values.
 */
export function wireOf<Schema extends z.ZodObject, const Given extends Partial<z.input<Schema>> = Record<never, never>>(
  { shape }: Schema,
  row: RowOf<Omit<z.input<Schema>, keyof Given>>,
  given?: Given,
): z.output<Schema> {
  const values = row as Readonly<Record<string, unknown>>
  const fields = Object.keys(shape).map((name) => {
    const value = values[snake(name)]
    return [name, value instanceof Date ? toWire(value) : value]
  })
  return { ...Object.fromEntries(fields), ...given }
}
