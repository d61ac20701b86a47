import { z } from 'zod'
import { Instant } from '../frame/shapes.ts'

/** The largest file for machines, in bytes. */
export const largestUpdateFile = 256 * 1024 ** 2

/** The uploaded file of a firmware or database. */
export const UpdateFile = z.strictObject({
  /** Machines fetch it under this id. A file that replaces it has another. */
  id: z.uuid(),
  name: z.string(),
  bytes: z.int(),
  /** 64 hexadecimal digits. */
  sha256: z.string(),
  uploadedAt: Instant,
})
export type UpdateFile = z.infer<typeof UpdateFile>

/** The name of an uploaded file, and its size as far as the browser knows it: a shorter body was cut off. */
export const UploadQuery = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^/\\\p{Cc}]+$/u),
  bytes: z.coerce.number().int().min(0),
})

/** How an upload is refused. */
export const uploadFaults = ['UpdateFileEmpty', 'UpdateFileTooLarge', 'UpdateFileIncomplete'] as const
