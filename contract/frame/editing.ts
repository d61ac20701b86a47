import { z } from 'zod'
import { Instant } from './shapes.ts'

/** Version of a record that users edit: only their edits increase it. A change names the version that it is based on. */
export const Version = z.int().min(1)

/** Facts of `EditConflict`: the current record, the time of the change, and the user if known. */
export const conflictOf = <Current extends z.ZodType>(current: Current) =>
  z.strictObject({ current, changedAt: Instant.nullable(), changedBy: z.string().nullable() })

/** A whole record with the version on which it is based. A missing field is cleared. Rules across fields apply too. */
// Cast: the schema is a type parameter, whose fields the compiler cannot extend.
export const editOf = <Fields extends z.core.$ZodShape>(fields: z.ZodObject<Fields, z.core.$strict>) =>
  fields.safeExtend({ version: Version } as never) as unknown as z.ZodObject<
    Fields & { version: typeof Version },
    z.core.$strict
  >
