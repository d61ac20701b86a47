import { sql } from 'kysely'
import { mostProductBlockers, type ProductBlockers } from '#contract/catalogue/product.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** The planogram lines with a product. */
const linesWith = (db: TenantDb) => sql`planogram_lines l where l.merchant_id = products.merchant_id
  and l.product_id = products.id and ${db.own('l')}`

/** A text of a parameter in a file, where `;` and `=` part names and values. */
const escaped = (field: 'name' | 'value') =>
  sql`regexp_replace(each.parameter ->> ${sql.lit(field)}, '([\\\\;=])', '\\\\\\1', 'g')`

export const productList = recordList({
  list: 'products',
  table: 'products',
  where: (db, { productTypes, hasPlanograms }) => [
    anyOf('products.product_type', productTypes, 'text'),
    when(hasPlanograms, (expected) => sql<boolean>`exists (select 1 from ${linesWith(db)}) = ${expected}`),
  ],
  beside: {
    currency: () => sql<Currency>`merchants.currency`,
    planograms: (db: TenantDb) => sql<number>`(select count(distinct l.planogram_id)::int from ${linesWith(db)})`,
  },
  file: {
    vat: sql`trim_scale(products.vat)`,
    parameters: sql`(select string_agg(${escaped('name')} || '=' || ${escaped('value')}, '; ' order by each.at)
      from jsonb_array_elements(products.parameters) with ordinality as each (parameter, at))`,
  },
})

/** Planograms and no-vend profiles that block the deletion of a product, if any. */
export async function usersOfProduct(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
): Promise<ProductBlockers | undefined> {
  const planograms = await db
    .from('planograms')
    .where('planograms.merchant_id', '=', merchant_id)
    .where(
      sql<boolean>`exists (select 1 from planogram_lines l
      where l.merchant_id = planograms.merchant_id and l.planogram_id = planograms.id and l.product_id = ${id}
        and ${db.own('l')})`,
    )
    .select(['planograms.id', 'planograms.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('planograms.name')
    .limit(mostProductBlockers)
    .execute()
  const profiles = await db
    .from('no_vend_profiles')
    .where('no_vend_profiles.merchant_id', '=', merchant_id)
    .where(sql<boolean>`no_vend_profiles.product_ids @> array[${id}::uuid]`)
    .select(['no_vend_profiles.id', 'no_vend_profiles.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('no_vend_profiles.name')
    .limit(mostProductBlockers)
    .execute()
  const places = await db
    .from('stock_places')
    .where('stock_places.merchant_id', '=', merchant_id)
    .where(
      sql<boolean>`exists (select 1 from place_lots held where held.merchant_id = stock_places.merchant_id
        and held.place_id = stock_places.id and held.product_id = ${id} and held.pieces <> 0 and ${db.own('held')})`,
    )
    .select(['stock_places.id', 'stock_places.name', sql<number>`(count(*) over ())::int`.as('n')])
    .orderBy('stock_places.name')
    .limit(mostProductBlockers)
    .execute()
  if (planograms.length === 0 && profiles.length === 0 && places.length === 0) return undefined
  const named = ({ id: one, name }: { id: string; name: string }) => ({ id: one, name })
  return {
    planograms: planograms[0]?.n ?? 0,
    firstPlanograms: planograms.map(named),
    profiles: profiles[0]?.n ?? 0,
    firstProfiles: profiles.map(named),
    stockPlaces: places[0]?.n ?? 0,
    firstStockPlaces: places.map(named),
  }
}
