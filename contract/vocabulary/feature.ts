import { z } from 'zod'

/** Functions that a merchant may have or not; one that is not configured is off. What belongs to which stands in docs/ARCHITECTURE.md. */
export const features = [
  'advancedAlarms',
  'cashDatabaseUpdate',
  'customerMedia',
  'firmwareUpdate',
  'vending',
  'network',
  'productStock',
  'remoteConfigurations',
  'transactionDetails',
  'webPayments',
] as const
export const Feature = z.enum(features)
export type Feature = z.infer<typeof Feature>

/** Families of machines and media that a merchant works with; one that is not configured is off. */
export const productFamilies = ['cashlogy', 'gettone'] as const
export const ProductFamily = z.enum(productFamilies)
export type ProductFamily = z.infer<typeof ProductFamily>
