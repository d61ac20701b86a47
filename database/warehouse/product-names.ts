import type { TenantDb } from '../frame/tenant.ts'

/** Names of a merchant's products by id; products that do not exist are left out. */
export async function productNames(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .from('products')
    .where('products.merchant_id', '=', merchantId)
    .where('products.id', 'in', [...ids])
    .select(['products.id', 'products.name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
