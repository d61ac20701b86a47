import { z } from 'zod'
import { Version } from './editing.ts'
import { endpoint } from './endpoint.ts'
import { Flag, Instant, paged, pageOf, Search } from './shapes.ts'
import { MyMerchant } from './user.ts'
import { Feature, ProductFamily } from './vocabulary/feature.ts'

/** A merchant as the provider sees it. */
export const Merchant = z.strictObject({
  ...MyMerchant.shape,
  machines: z.int(),
  createdAt: Instant,
})
export type Merchant = z.infer<typeof Merchant>

export const merchantOrds = ['name', 'country', 'currency', 'machines', 'createdAt'] as const

const once = <T extends z.ZodType<string>>(item: T) =>
  z.array(item).refine((values) => new Set(values).size === values.length, 'rule.choice')

/** What a merchant may use, as the provider decides. */
export const SuperAdminSettings = z.strictObject({
  features: once(Feature),
  productFamilies: once(ProductFamily),
  version: Version,
})
export type SuperAdminSettings = z.infer<typeof SuperAdminSettings>

export const merchants = {
  listMerchants: endpoint({
    method: 'GET',
    path: '/merchants',
    summary: 'Every merchant of the deployment',
    needs: 'merchant.admin',
    query: z.strictObject({ ...paged(merchantOrds), search: Search.optional(), isDemo: Flag.optional() }),
    ok: pageOf(Merchant),
    timeOut: 'large',
  }),
  getSuperAdminSettings: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/super-admin-settings',
    summary: 'Features and product families of a merchant',
    needs: 'merchant.admin',
    ok: SuperAdminSettings,
  }),
  updateSuperAdminSettings: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/super-admin-settings',
    summary: 'Turns features and product families of a merchant on and off',
    needs: 'merchant.admin',
    body: SuperAdminSettings,
    ok: SuperAdminSettings,
    fails: ['EditConflict'],
  }),
}
