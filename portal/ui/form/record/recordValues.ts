import { z } from 'zod'

/** The form values of a record: an empty field is null if the schema allows it, else an empty text. */
export type RecordValues = Record<string, unknown>

/** The used properties of a field's schema. */
export interface FieldRule {
  isNullable: boolean
  isRequired: boolean
  maxLength: number | undefined
  empty: unknown
}

/** A wrapper schema that makes a field nullable or optional. */
type Wrapped = z.ZodType & { def: { type: string; innerType?: Wrapped } }

/** The rule of a field's values, and its wrapper schemas. */
function unwrapped(schema: Wrapped, around: string[] = []): { inner: Wrapped; around: string[] } {
  const { innerType, type } = schema.def
  return innerType ? unwrapped(innerType, [...around, type]) : { inner: schema, around }
}

/** The maximum length of a text, from its own rule; the build strips a schema's metadata. */
function longestOf(schema: z.ZodType): number | undefined {
  const issues = schema.safeParse('x'.repeat(20_000)).error?.issues ?? []
  const tooBig = issues.find((issue) => issue.code === 'too_big')
  return tooBig && Number(tooBig.maximum)
}

export function fieldRule(schema: z.ZodObject, name: string): FieldRule {
  const rule = schema.shape[name]
  if (!rule) throw new Error(`The schema has no field ${name}.`)
  const { inner, around } = unwrapped(rule as Wrapped)
  const { type } = inner.def
  const isNullable = around.includes('nullable')
  const isText = type === 'string' || type === 'enum'
  // A choice with a default starts with it: an empty choice is none of its values.
  const preset = type === 'enum' && around.includes('default') ? rule.safeParse(undefined).data : undefined
  return {
    isNullable,
    isRequired: !isNullable && !around.includes('default') && !around.includes('optional') && type !== 'boolean',
    maxLength: type === 'string' ? longestOf(inner) : undefined,
    empty:
      preset !== undefined
        ? preset
        : isNullable
          ? null
          : isText
            ? ''
            : type === 'boolean'
              ? false
              : type === 'array'
                ? []
                : null,
  }
}

/** The fields of a record, or of a new one if none is given. */
export const valuesOf = (schema: z.ZodObject, record: object = {}): RecordValues =>
  Object.fromEntries(
    Object.keys(schema.shape).map((name) => [
      name,
      name in record ? (record as RecordValues)[name] : fieldRule(schema, name).empty,
    ]),
  )

/** The values to send: an empty text is null if the schema allows it. */
export const bodyOf = <Schema extends z.ZodObject>(schema: Schema, values: RecordValues) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === '' && fieldRule(schema, name).isNullable ? null : value,
    ]),
  ) as z.input<Schema>

/** The contract's schema for form values. */
export const formSchema = (schema: z.ZodObject): z.ZodType =>
  z.preprocess((values) => bodyOf(schema, values as RecordValues), schema)
