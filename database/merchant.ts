import { type RawBuilder, sql } from 'kysely'
import type { Merchant, merchantOrds } from '#contract/merchant.ts'
import type { Feature, ProductFamily } from '#contract/vocabulary/feature.ts'
import { countUpTo, offsetOf, type Page } from './paging.ts'
import type { TenantDb } from './tenant.ts'

const withFeatures = (db: TenantDb) =>
  db
    .from('merchants')
    .leftJoin('merchant_features', 'merchant_features.merchant_id', 'merchants.id')
    .selectAll('merchants')
    .select([
      sql<Feature[]>`coalesce(merchant_features.features, '{}')`.as('features'),
      sql<ProductFamily[]>`coalesce(merchant_features.product_families, '{}')`.as('product_families'),
    ])

/** Merchants of the scope by name, whatever the case, with what they may use. */
export const listMerchants = (db: TenantDb) =>
  withFeatures(db)
    .orderBy((order) => order.fn('lower', ['merchants.name']))
    .execute()

/** Machines that are not hidden. */
const machineCount = sql<number>`(select count(*)::int from machines m where m.merchant_id = merchants.id and not m.hidden)`

const ordColumns = {
  name: sql`lower(merchants.name)`,
  country: sql`merchants.country`,
  currency: sql`merchants.currency`,
  machines: machineCount,
  createdAt: sql`merchants.created_at`,
} satisfies Record<(typeof merchantOrds)[number], RawBuilder<unknown>>

export interface MerchantFilters extends Page {
  ord?: keyof typeof ordColumns | undefined
  ordType?: 'ASC' | 'DESC' | undefined
  search?: string | undefined
  isDemo?: Merchant['isDemo'] | undefined
}

/** A page of the scope's merchants, by name unless told otherwise. */
export async function pageOfMerchants(db: TenantDb, filters: MerchantFilters) {
  const { search, isDemo, ord = 'name', ordType = 'ASC' } = filters
  const matching = <Q extends { where(condition: RawBuilder<boolean>): Q }>(query: Q) =>
    query
      .where(
        search === undefined ? sql<boolean>`true` : sql<boolean>`strpos(lower(merchants.name), lower(${search})) > 0`,
      )
      .where(isDemo === undefined ? sql<boolean>`true` : sql<boolean>`merchants.is_demo = ${isDemo}`)
  const counted = await countUpTo(db, matching(db.from('merchants')))
  const rows = await matching(withFeatures(db))
    .select(machineCount.as('machines'))
    .orderBy(sql`${ordColumns[ord]} ${sql.raw(ordType)}`)
    .orderBy('merchants.id')
    .limit(filters.size)
    .offset(offsetOf(filters))
    .execute()
  return { rows, ...counted }
}

export interface FeatureSettings {
  features: Feature[]
  productFamilies: ProductFamily[]
  version: number
}

/** What a merchant may use. Without a row that is nothing, in its first version. */
export async function featuresOf(db: TenantDb, merchantId: string): Promise<FeatureSettings> {
  const row = await db
    .from('merchant_features')
    .where('merchant_features.merchant_id', '=', merchantId)
    .selectAll('merchant_features')
    .executeTakeFirst()
  if (!row) return { features: [], productFamilies: [], version: 1 }
  return {
    features: row.features as Feature[],
    productFamilies: row.product_families as ProductFamily[],
    version: row.version,
  }
}

/** Stores what a merchant may use, unless somebody has done so since `version`; then there is no answer. */
export async function storeFeatures(
  db: TenantDb,
  merchantId: string,
  { features, productFamilies, version }: FeatureSettings,
): Promise<FeatureSettings | undefined> {
  const row = { features, product_families: productFamilies, version: version + 1 }
  const updated = await db.query
    .updateTable('merchant_features')
    .set(row)
    .where(db.narrow('merchant_features'))
    .where('merchant_id', '=', merchantId)
    .where('version', '=', version)
    .executeTakeFirst()
  const isStored = updated.numUpdatedRows > 0n || (version === 1 && (await insertFirst(db, merchantId, row)))
  return isStored ? { features, productFamilies, version: row.version } : undefined
}

const insertFirst = async (
  db: TenantDb,
  merchantId: string,
  row: { features: Feature[]; product_families: ProductFamily[]; version: number },
) => {
  const inserted = await db.query
    .insertInto('merchant_features')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The scope's merchants that have a feature. */
export async function merchantsWith(db: TenantDb, feature: Feature): Promise<Set<string>> {
  const rows = await db
    .from('merchant_features')
    .where(sql<boolean>`${feature}::text = any(merchant_features.features)`)
    .select('merchant_features.merchant_id')
    .execute()
  return new Set(rows.map((row) => row.merchant_id))
}
