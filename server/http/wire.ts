import type { z } from 'zod'
import { toWire } from '#contract/frame/instant.ts'
import { type Snake, snake } from '#database/frame/snake.ts'

/** What a column may hold whose field is of such values: an instant is a date, a word of a vocabulary any text. */
type Stored<V> = V extends string
  ? string | Date
  : V extends number
    ? number
    : V extends boolean
      ? boolean
      : V extends null
        ? null
        : unknown

/** A row that has what a schema names, each field in the column of its name: `companyName` in `company_name`. */
type RowOf<Fields> = { [F in keyof Fields & string as Snake<F>]: Stored<Fields[F]> }

/**
 * A row as its schema presents it. Fields without a column of their name, or stored in another form, are `given`.
 * The schema of the answer checks the values.
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
