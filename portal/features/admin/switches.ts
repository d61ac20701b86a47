import { z } from 'zod'
import type { SuperAdminSettings } from '#contract/merchant.ts'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'

export const featureKeys = features
export const familyKeys = productFamilies
const keys = [...features, ...productFamilies]
type Key = (typeof keys)[number]

/** The settings as switches, so that two people who turn different ones do not stand in each other's way. */
export const Switches = z.strictObject(
  Object.fromEntries(keys.map((key) => [key, z.boolean()])) as Record<Key, z.ZodBoolean>,
)
export type Switches = z.infer<typeof Switches>

export function switchesOf(settings: Pick<SuperAdminSettings, 'features' | 'productFamilies'>): Switches {
  const on = new Set<Key>([...settings.features, ...settings.productFamilies])
  return Object.fromEntries(keys.map((key) => [key, on.has(key)])) as Switches
}

export const settingsOf = (switches: Switches) => ({
  features: features.filter((key) => switches[key]),
  productFamilies: productFamilies.filter((key) => switches[key]),
})
