import { z } from 'zod'

/** What kind of place a machine or a client is at. The specification names no sectors; this registry is Gettone's. */
export const posSectors = [
  'office',
  'industry',
  'school',
  'university',
  'hospital',
  'transport',
  'fuelStation',
  'retail',
  'hotel',
  'sport',
  'leisure',
  'publicOffice',
  'street',
  'other',
] as const
export const PosSector = z.enum(posSectors)
export type PosSector = z.infer<typeof PosSector>
