import { z } from 'zod'
import { Day } from '../shapes.ts'
import { allMerchants } from '../vocabulary/merchant.ts'
import { saying } from './broken.ts'

/** A merchant must be selected: "all distributors" is none. */
export const OneMerchant = z
  .string()
  .nullable()
  .refine((id) => id !== null && z.uuid().safeParse(id).success && id !== allMerchants, saying('merchantRequired'))

/** A group admin's merchants, each with one group at least. */
export const MerchantsOfGroupAdmin = z
  .array(z.strictObject({ merchantId: z.uuid(), groupIds: z.array(z.uuid()) }))
  .refine((merchants) => merchants.length > 0, saying('merchantRequired'))
  .refine((merchants) => merchants.every(({ groupIds }) => groupIds.length > 0), saying('groupPerMerchant'))

/** A demo expires: its licence, and a merchant that is one, need the day. */
export const DemoLicence = z
  .strictObject({ isDemo: z.boolean(), expirationDate: Day.nullable() })
  .refine(({ isDemo, expirationDate }) => !isDemo || expirationDate !== null, {
    ...saying('demoExpiration'),
    path: ['expirationDate'],
  })

/** Features are each merchant's own: under "all distributors" they cannot be filtered by. */
export const featureFilterUnder = (merchantId: string) =>
  z
    .array(z.string())
    .refine((features) => features.length === 0 || merchantId !== allMerchants, saying('featuresOfAll'))

/** An export of what is shown: the deployment says how many results at most. */
export const exportOf = (maxResults: number) =>
  z.int().refine((results) => results <= maxResults, saying('exportLimit', { maxResults }))
