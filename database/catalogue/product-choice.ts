import { sql } from 'kysely'
import { among } from '../frame/conditions.ts'
import { countLimit } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Products by code, up to the count limit. */
export async function listProductChoices(db: TenantDb) {
  const rows = await db
    .from('products')
    .select(['products.id', 'products.code', 'products.name', 'products.default_price', 'products.default_fill'])
    .orderBy(sql`lower(products.code), products.id`)
    .limit(countLimit + 1)
    .execute()
  const items = rows.slice(0, countLimit)
  return { items, total: items.length, capped: rows.length > countLimit }
}

/** Products by id, as a planogram names them. */
export const productsNamed = (db: TenantDb, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .from('products')
        .where(among('products.id', ids, 'uuid'))
        .select(['products.id', 'products.code', 'products.name'])
        .execute()

/** The small pictures of products that have one. */
export async function thumbnailsOf(db: TenantDb, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .from('products')
    .where(among('products.id', ids, 'uuid'))
    .where('products.thumbnail', 'is not', null)
    .select(['products.id', 'products.thumbnail'])
    .execute()
  return rows.map(({ id, thumbnail }) => ({ id, thumbnail: thumbnail ?? '' }))
}
