/** What kind of place a machine stands at. The specification names no sectors; this registry is Gettone's. */
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
