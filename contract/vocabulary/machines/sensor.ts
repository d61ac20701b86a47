import { z } from 'zod'

/** The dirt level of a sensor; `unknown` without thresholds. */
export const dirtinesses = ['unknown', 'ok', 'warning', 'critical'] as const
export const Dirtiness = z.enum(dirtinesses)
export type Dirtiness = z.infer<typeof Dirtiness>

/** Parts and sensors that have words; machines name others as their makers do. */
export const sensorParts = ['coinValidator', 'coinRecycler', 'billValidator', 'billRecycler'] as const
export const sensorNames = ['entry', 'diameter', 'sorter', 'opticalUpper', 'opticalLower', 'path'] as const
