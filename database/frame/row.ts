import type { z } from 'zod'
import type { ZodInstant } from '#contract/frame/shapes.ts'

/** The column name of a field: `companyName` is `company_name`. */
export type Snake<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : Name

/** The field of a column: `company_name` is `companyName`. */
export const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const snake = <Name extends string>(name: Name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<Name>

/** A field as the database has it: an instant is a date. */
type InDatabase<Field> = Field extends ZodInstant
  ? Date
  : Field extends z.ZodNullable<infer Inner>
    ? InDatabase<Inner> | null
    : Field extends z.ZodOptional<infer Inner>
      ? InDatabase<Inner>
      : z.output<Field>

/** A row of what a schema presents, each field in the column of its name: `companyName` in `company_name`. */
export type RowOf<Schema extends z.ZodObject> = {
  [F in keyof Schema['shape'] & string as Snake<F>]: InDatabase<Schema['shape'][F]>
}

/** The same by the fields' own names. */
export type FactsOf<Schema extends z.ZodObject> = { [F in keyof Schema['shape']]: InDatabase<Schema['shape'][F]> }
