import { z } from 'zod'

/** Optional functions of a merchant, off by default. docs/ARCHITECTURE.md lists what belongs to each. */
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
  'warehouse',
  'webPayments',
] as const
export const Feature = z.enum(features)
export type Feature = z.infer<typeof Feature>
/** A newer version may have stored features that this one does not know. */
export const isFeature = (code: string): code is Feature => features.some((one) => one === code)

/** What a row or a screen may require of the merchant: a feature, or a service of its contract. */
export const services = ['screenConfigurationManagement'] as const
export type Service = (typeof services)[number]
export type Gate = Feature | Service

/** Families of machines and media that a merchant works with; off unless configured. */
export const productFamilies = ['cashlogy', 'gettone'] as const
export const ProductFamily = z.enum(productFamilies)
export type ProductFamily = z.infer<typeof ProductFamily>
export const isProductFamily = (code: string): code is ProductFamily => productFamilies.some((one) => one === code)
