import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { MerchantFilters, merchantOrds } from '#contract/merchants/merchant.ts'
import { type DemoState, demoWarningDays } from '#contract/vocabulary/demo.ts'
import { type Feature, type Gate, type ProductFamily, services } from '#contract/vocabulary/feature.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { MerchantFeatures } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

const withFeatures = (db: TenantDb) =>
  db
    .from('merchants')
    .leftJoin('merchant_features', 'merchant_features.merchant_id', 'merchants.id')
    .leftJoin('merchant_details', 'merchant_details.merchant_id', 'merchants.id')
    .selectAll('merchants')
    .select([
      sql<number | null>`case when is_demo then demo_expires_on - (now() at time zone time_zone)::date end`.as(
        'demo_days_left',
      ),
      sql<Feature[]>`coalesce(merchant_features.features, '{}')`.as('features'),
      sql<ProductFamily[]>`coalesce(merchant_features.product_families, '{}')`.as('product_families'),
      sql<boolean>`coalesce(merchant_details.screen_configuration, false)`.as('screen_configuration'),
    ])

/** Merchants of the scope by name, ignoring case, with their features. */
export const listMerchants = (db: TenantDb) =>
  withFeatures(db)
    .orderBy((order) => order.fn('lower', ['merchants.name']))
    .execute()

/** The number of machines that are not hidden. */
export const machineCount = (db: TenantDb) =>
  sql<number>`(select count(*)::int from machines m where ${db.own('m')} and m.merchant_id = merchants.id and not m.hidden)`

type Ord = (typeof merchantOrds)[number]

const daysLeft = sql`merchants.demo_expires_on - (now() at time zone merchants.time_zone)::date`
/** The phase of a merchant's demo, by the name of the table. */
export const isDemoIn = {
  running: sql<boolean>`merchants.is_demo and coalesce(${daysLeft} > ${demoWarningDays}, true)`,
  ending: sql<boolean>`merchants.is_demo and ${daysLeft} between 0 and ${demoWarningDays}`,
  ended: sql<boolean>`merchants.is_demo and ${daysLeft} < 0`,
} satisfies Record<DemoState, RawBuilder<boolean>>

const searched = sql`concat_ws(' ', merchants.name, merchant_details.legal_name, merchant_details.contact_name,
  merchant_details.contact_email, merchant_details.sap_code)`

const inDemo = (states: readonly DemoState[]) =>
  sql<boolean>`(${sql.join(
    states.map((state) => sql`(${isDemoIn[state]})`),
    sql` or `,
  )})`

/** A query on the scope's merchants that match, with their features. */
export const merchantsMatching = (db: TenantDb, { search, isDemo, demoStates, countries, features }: MerchantFilters) =>
  withFeatures(db)
    .where(anyOf('merchants.country', countries, 'text'))
    .where(holds(searched, search))
    .where(when(isDemo, (expected) => sql<boolean>`merchants.is_demo = ${expected}`))
    .where(when(demoStates, inDemo))
    .where(when(features, (some) => sql<boolean>`merchant_features.features && ${some}::text[]`))

/** By default by name. */
export const merchantOrdering = (db: TenantDb, sorted: Sorted<Ord>) =>
  orderOf<Ord>({
    by: {
      name: sql`lower(merchants.name)`,
      country: sql`merchants.country`,
      currency: sql`merchants.currency`,
      demoExpiresOn: sql`merchants.demo_expires_on`,
      createdAt: sql`merchants.created_at`,
      machines: machineCount(db),
    },
    first: 'name',
    empty: 'last',
    ties: sql`merchants.id`,
  })(sorted)

/** A page of the scope's merchants, by default by name. */
export const pageOfMerchants = (db: TenantDb, query: MerchantFilters & Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: () => merchantsMatching(db, query),
    order: merchantOrdering(db, query),
    select: (merchants) =>
      merchants
        .select(machineCount(db).as('machines'))
        .select((of) =>
          (['legal_name', 'contact_name', 'contact_email', 'sap_code'] as const).map((column) =>
            of.fn.coalesce(`merchant_details.${column}`, sql<string>`''`).as(column),
          ),
        ),
  })

/** A merchant of the scope with its features and its number of machines that are not hidden. */
export const findMerchant = (db: TenantDb, id: string) =>
  withFeatures(db).select(machineCount(db).as('machines')).where('merchants.id', '=', id).executeTakeFirst()

export interface FeatureSettings {
  features: Feature[]
  productFamilies: ProductFamily[]
  maximumMachines: number | null
  maximumPeople: number | null
  version: number
}

/** The features of a merchant. Without a row: none, in the first version. */
export async function featuresOf(db: TenantDb, merchantId: string): Promise<FeatureSettings> {
  const row = await db
    .from('merchant_features')
    .where('merchant_features.merchant_id', '=', merchantId)
    .selectAll('merchant_features')
    .executeTakeFirst()
  if (!row) return { features: [], productFamilies: [], maximumMachines: null, maximumPeople: null, version: 1 }
  return {
    features: row.features as Feature[],
    productFamilies: row.product_families as ProductFamily[],
    maximumMachines: row.maximum_machines,
    maximumPeople: row.maximum_people,
    version: row.version,
  }
}

/** Stores the features of a merchant; undefined if another user has changed them since `version`. */
export async function storeFeatures(
  db: TenantDb,
  merchantId: string,
  { version, ...settings }: FeatureSettings,
): Promise<FeatureSettings | undefined> {
  const row = {
    features: settings.features,
    product_families: settings.productFamilies,
    maximum_machines: settings.maximumMachines,
    maximum_people: settings.maximumPeople,
    version: version + 1,
  }
  const updated = await db.query
    .updateTable('merchant_features')
    .set(row)
    .where(db.narrow('merchant_features'))
    .where('merchant_id', '=', merchantId)
    .where('version', '=', version)
    .executeTakeFirst()
  const isStored = updated.numUpdatedRows > 0n || (version === 1 && (await insertFirst(db, merchantId, row)))
  return isStored ? { ...settings, version: row.version } : undefined
}

const insertFirst = async (
  db: TenantDb,
  merchantId: string,
  row: Omit<Insertable<MerchantFeatures>, 'merchant_id'>,
) => {
  const inserted = await db.query
    .insertInto('merchant_features')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The scope's merchants that have some features, by feature. */
export async function merchantsWith<G extends Gate>(
  db: TenantDb,
  gates: readonly G[],
): Promise<ReadonlyMap<G, ReadonlySet<string>>> {
  const rows = await featuresIn(db)
  const served = gates.some(isService)
    ? await db
        .from('merchant_details')
        .where('merchant_details.screen_configuration', '=', true)
        .select('merchant_details.merchant_id')
        .execute()
    : []
  const idsOf = (gate: G) =>
    (isService(gate) ? served : rows.filter((row) => row.features.includes(gate))).map(({ merchant_id }) => merchant_id)
  return new Map(gates.map((gate) => [gate, new Set(idsOf(gate))]))
}

/** The features of the scope's merchants: known from the start of a read, and looked up in a write. */
async function featuresIn(db: TenantDb) {
  const own = new Set(db.scope.map(({ merchantId }) => merchantId))
  if (db.begun) return db.begun.features.filter(({ merchant_id }) => own.has(merchant_id))
  return db.from('merchant_features').select(['merchant_features.merchant_id', 'merchant_features.features']).execute()
}

const isService = (gate: Gate) => (services as readonly string[]).includes(gate)
