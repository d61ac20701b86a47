import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type Fact, type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Flag, Instant, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { MerchantFacts } from '../people/user.ts'
import { demoStates } from '../vocabulary/demo.ts'
import { Feature, features, ProductFamily, productFamilies } from '../vocabulary/feature.ts'
import { Country } from '../vocabulary/world/countries.ts'

/** A merchant as the provider sees it. */
export const Merchant = z.strictObject({
  ...MerchantFacts.shape,
  legalName: z.string(),
  contactName: z.string(),
  contactEmail: z.string(),
  sapCode: z.string(),
  machines: z.int(),
  createdAt: Instant,
})
export type Merchant = z.infer<typeof Merchant>

/** One field per optional function, since a file is sorted and filtered by columns. */
const factsOfEach = <Kind extends 'feature' | 'family', Name extends string>(kind: Kind, names: readonly Name[]) =>
  Object.fromEntries(
    names.map((name): [string, Fact] => [`${kind}.${name}`, { kind: 'flag', heading: `admin:${kind}.${name}.name` }]),
  ) as Record<`${Kind}.${Name}`, Fact>

export const merchantColumns = {
  name: { facts: { merchant: { kind: 'text', heading: 'admin:column.name' } } },
  isDemo: { kind: 'flag', heading: 'admin:demo' },
  demoExpiresOn: { kind: 'day', heading: 'admin:column.demoExpiresOn' },
  legalName: { kind: 'text', heading: 'admin:column.legalName' },
  contact: {
    heading: 'admin:column.contact',
    facts: {
      contactName: { kind: 'text', heading: 'merchant:field.contactName' },
      contactEmail: { kind: 'text', heading: 'merchant:field.contactEmail' },
    },
  },
  sapCode: { kind: 'text', heading: 'admin:column.sapCode' },
  country: { kind: 'country', heading: 'admin:column.country' },
  currency: { kind: 'text', heading: 'admin:column.currency' },
  timeZone: { facts: { zone: { kind: 'text', heading: 'admin:column.timeZone' } } },
  features: { sort: false, heading: 'admin:column.features', facts: factsOfEach('feature', features) },
  families: { sort: false, heading: 'admin:column.families', facts: factsOfEach('family', productFamilies) },
  machines: { kind: 'number', heading: 'admin:column.machines' },
  createdAt: { kind: 'instant', heading: 'admin:column.created' },
  id: { kind: 'plain', heading: 'admin:column.id' },
} as const satisfies ListColumns

export const merchantOrds = ordsOf(merchantColumns, 'name')

export const MerchantFilters = z.strictObject({
  /** Search in name, company, contact and SAP code. */
  search: Search.optional(),
  isDemo: Flag.optional(),
  demoStates: oneOrMany(z.enum(demoStates)),
  countries: oneOrMany(Country),
  /** Merchants with one of these features. */
  features: oneOrMany(Feature),
})
export type MerchantFilters = z.infer<typeof MerchantFilters>

const once = <T extends z.ZodType<string>>(item: T) =>
  z.array(item).refine((values) => new Set(values).size === values.length, 'rule.choice')

/** Maximum number; null is no limit. */
const Limit = z.int().min(1).max(1_000_000).nullable()

/** The merchant's features and limits, as set by the provider. */
export const SuperAdminSettings = z.strictObject({
  features: once(Feature),
  productFamilies: once(ProductFamily),
  /** Maximum machines, including hidden ones; beyond it no machine can associate. */
  maximumMachines: Limit,
  /** Maximum number of users assigned to it. */
  maximumPeople: Limit,
  version: Version,
})
export type SuperAdminSettings = z.infer<typeof SuperAdminSettings>

export const merchants = {
  listMerchants: endpoint({
    method: 'GET',
    path: '/merchants',
    summary: 'List all merchants',
    needs: 'merchant.admin',
    topics: ['merchant'],
    query: MerchantFilters.extend(paged(merchantOrds)),
    ok: pageOf(Merchant),
    timeOut: 'large',
  }),
  getSuperAdminSettings: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/super-admin-settings',
    summary: 'Get features, product families and limits of a merchant',
    needs: 'merchant.admin',
    topics: ['merchant'],
    ok: SuperAdminSettings,
  }),
  updateSuperAdminSettings: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/super-admin-settings',
    summary: 'Update features, product families and limits of a merchant',
    needs: 'merchant.admin',
    body: SuperAdminSettings,
    ok: SuperAdminSettings,
    fails: ['EditConflict'],
  }),
}

/** The list as a file. */
export const exportedMerchants = {
  row: merchants.listMerchants,
  filters: MerchantFilters,
  ords: merchantOrds,
  columns: merchantColumns,
} as const satisfies ExportedList
