import { z } from 'zod'
import { SuperAdminSettings } from '#contract/merchants/merchant.ts'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'

export const featureKeys = features
export const familyKeys = productFamilies
export const limitKeys = ['maximumMachines', 'maximumPeople'] as const
const keys = [...features, ...productFamilies]
type Key = (typeof keys)[number]

/** The settings as switches, so that two users who change different ones do not conflict. */
export const Switches = z.strictObject({
  ...(Object.fromEntries(keys.map((key) => [key, z.boolean()])) as Record<Key, z.ZodBoolean>),
  maximumMachines: SuperAdminSettings.shape.maximumMachines,
  maximumPeople: SuperAdminSettings.shape.maximumPeople,
})
export type Switches = z.infer<typeof Switches>

type Settings = Omit<SuperAdminSettings, 'version'>

export function switchesOf({ features, productFamilies, maximumMachines, maximumPeople }: Settings): Switches {
  const on = new Set<Key>([...features, ...productFamilies])
  const switches = Object.fromEntries(keys.map((key) => [key, on.has(key)])) as Record<Key, boolean>
  return { ...switches, maximumMachines, maximumPeople }
}

export const settingsOf = (switches: Switches): Settings => ({
  features: features.filter((key) => switches[key]),
  productFamilies: productFamilies.filter((key) => switches[key]),
  maximumMachines: switches.maximumMachines,
  maximumPeople: switches.maximumPeople,
})
