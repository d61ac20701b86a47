import { z } from 'zod'
import { saying } from '../frame/broken.ts'

/** A rule's firmware must be a released version. */
export const firmwareAmong = (firmwareIds: readonly string[]) =>
  z
    .string()
    .nullable()
    .refine((id) => id !== null && firmwareIds.includes(id), saying('firmwareMissing'))

/** A visual programmer's configuration may be sent once its form is valid. */
export const sendableUnder = (schema: z.ZodType) =>
  z.unknown().refine((configuration) => schema.safeParse(configuration).success, saying('vpForm'))
