import { z } from 'zod'
import { Instant } from './shapes.ts'

/** Of a record that people edit: counted up by their edits alone. A change names the version it was made from. */
export const Version = z.int().min(1)

/** Facts of `EditConflict`: the record as it is now, when it was changed, and by whom where that is known. */
export const conflictOf = <Current extends z.ZodType>(current: Current) =>
  z.strictObject({ current, changedAt: Instant.nullable(), changedBy: z.string().nullable() })

/** All of a record, with the version it was made from: what is left out is nothing afterwards. The rules across fields hold as well. */
export const editOf = <Fields extends z.core.$ZodShape>(fields: z.ZodObject<Fields, z.core.$strict>) =>
  fields.safeExtend({ version: Version } as never) as unknown as z.ZodObject<
    Fields & { version: typeof Version },
    z.core.$strict
  >
