import { z } from 'zod'
import { Version } from './editing.ts'
import { Instant } from './shapes.ts'

/** What every record has beside its fields. */
const common = {
  id: z.uuid(),
  version: Version,
  merchantId: z.uuid(),
  merchantName: z.string(),
  /** The merchant's. */
  timeZone: z.string(),
  createdAt: Instant,
}

/** A field as it is read: it has its kind and is never left out. The rules of its form are not those of stored records. */
export type AsRead<T> =
  T extends z.ZodDefault<infer Inner>
    ? AsRead<Inner>
    : T extends z.ZodNullable<infer Inner>
      ? z.ZodNullable<AsRead<Inner> & z.core.SomeType>
      : T extends z.ZodArray<infer Item>
        ? z.ZodArray<AsRead<Item> & z.core.SomeType>
        : T extends z.ZodUUID | z.ZodISODate | z.ZodInt
          ? T
          : T extends z.ZodString | z.ZodEmail
            ? z.ZodString
            : T extends z.ZodNumber
              ? z.ZodNumber
              : T

interface Definition {
  type: string
  format?: string
  innerType?: z.ZodType
  element?: z.ZodType
}

function textAsRead(format: string | undefined): z.ZodType {
  if (format === 'uuid') return z.uuid()
  if (format === 'date') return z.iso.date()
  return z.string()
}

function asRead(field: z.ZodType): z.ZodType {
  const { type, format, innerType, element } = field.def as Definition
  if (type === 'default' && innerType) return asRead(innerType)
  if (type === 'nullable' && innerType) return asRead(innerType).nullable()
  if (type === 'array' && element) return z.array(asRead(element))
  if (type === 'string') return textAsRead(format)
  if (type === 'number') return format === 'safeint' ? z.int() : z.number()
  return field
}

type Shape = Readonly<Record<string, z.ZodType>>
type Read<Fields extends Shape> = { [F in keyof Fields]: AsRead<Fields[F]> }

/** No field of the form twice: its kind follows from the form, or is in `otherwise`. */
type Apart<Own, Fields> = { [F in keyof Own]: F extends keyof Fields ? never : Own[F] }
/** Only fields of the form. */
type Only<Some, Fields> = { [F in keyof Some]: F extends keyof Fields ? Some[F] : never }

/**
 * The schema of a record: the fields that people fill in (`NewClient`), `own` facts that are read and not written, and what every record
 * has. `otherwise`: fields of the form that are read as another kind than they are written.
 */
export function recordOf<
  Fields extends Shape,
  Own extends Shape = Record<never, never>,
  Otherwise extends Shape = Record<never, never>,
>(
  form: z.ZodObject<Fields>,
  further: Own & Apart<Own, Fields & typeof common> = {} as Own & Apart<Own, Fields & typeof common>,
  otherwise: Otherwise & Only<Otherwise, Fields> = {} as Otherwise & Only<Otherwise, Fields>,
) {
  const read = Object.fromEntries(Object.entries(form.shape).map(([name, field]) => [name, asRead(field)]))
  // Cast: the fields are type parameters, which the compiler cannot follow through the spread.
  return z.strictObject({ ...common, ...read, ...otherwise, ...further }) as unknown as z.ZodObject<
    z.core.util.Flatten<typeof common & Omit<Read<Fields>, keyof Otherwise> & Otherwise & Own>,
    z.core.$strict
  >
}
