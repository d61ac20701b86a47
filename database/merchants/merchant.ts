import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { MerchantFilters, merchantOrds } from '#contract/merchants/merchant.ts'
import { type DemoState, demoWarningDays } from '#contract/vocabulary/demo.ts'
import {
  type Feature,
  type Gate,
  isFeature,
  isProductFamily,
  type ProductFamily,
  services,
} from '#contract/vocabulary/feature.ts'
import { among, anyOf, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { MerchantFeatures } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

// Merchants are on every node. What one node has of them is joined as a sub-select: joined as a table it ends a coordinator.
const withFeatures = (db: TenantDb) =>
  db
    .from('merchants')
    .leftJoin(
      db.from('merchant_features').selectAll('merchant_features').as('merchant_features'),
      'merchant_features.merchant_id',
      'merchants.id',
    )
    .leftJoin(
      db.from('merchant_details').selectAll('merchant_details').as('merchant_details'),
      'merchant_details.merchant_id',
      'merchants.id',
    )
    .selectAll('merchants')
    .select([
      sql<number | null>`case when is_demo then demo_expires_on - (now() at time zone time_zone)::date end`.as(
        'demo_days_left',
      ),
      sql<string[]>`coalesce(merchant_features.features, '{}')`.as('features'),
      sql<string[]>`coalesce(merchant_features.product_families, '{}')`.as('product_families'),
      sql<boolean>`coalesce(merchant_details.screen_configuration, false)`.as('screen_configuration'),
    ])

/** Merchants of the scope by name, ignoring case, with their features. */
export const listMerchants = (db: TenantDb) =>
  withFeatures(db)
    .orderBy((order) => order.fn('lower', ['merchants.name']))
    .execute()

/** The numbers of machines that are not hidden, of the scope's merchants or of some of them: a merchant without machines has no row. */
export const machineCounts = (db: TenantDb, ids?: readonly string[]) =>
  db.query
    .selectFrom('machines as m')
    .where(db.own('m'))
    .where(ids ? among('m.merchant_id', ids, 'uuid') : sql<boolean>`true`)
    .where('m.hidden', '=', false)
    .groupBy('m.merchant_id')
    .select(['m.merchant_id', sql<number>`count(*)::int`.as('machines')])

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

/** A query on the scope's merchants that match, with their features and, as `counted`, their numbers of machines. */
export const countedMerchants = (db: TenantDb, filters: MerchantFilters) =>
  merchantsMatching(db, filters).leftJoin(machineCounts(db).as('counted'), 'counted.merchant_id', 'merchants.id')

/** A query on the scope's merchants that match, with their features. */
export const merchantsMatching = (db: TenantDb, { search, isDemo, demoStates, countries, features }: MerchantFilters) =>
  withFeatures(db)
    .where(anyOf('merchants.country', countries, 'text'))
    .where(holds(searched, search))
    .where(when(isDemo, (expected) => sql<boolean>`merchants.is_demo = ${expected}`))
    .where(when(demoStates, inDemo))
    .where(when(features, (some) => sql<boolean>`merchant_features.features && ${some}::text[]`))

/** By default by name; by machines, of `countedMerchants`. */
export const merchantOrdering = orderOf<Ord>({
  by: {
    name: sql`lower(merchants.name)`,
    country: sql`merchants.country`,
    currency: sql`merchants.currency`,
    demoExpiresOn: sql`merchants.demo_expires_on`,
    createdAt: sql`merchants.created_at`,
    machines: sql`coalesce(counted.machines, 0)`,
    isDemo: sql`merchants.is_demo`,
    legalName: sql`lower(merchant_details.legal_name)`,
    contact: sql`lower(merchant_details.contact_name)`,
    sapCode: sql`lower(merchant_details.sap_code)`,
    timeZone: sql`merchants.time_zone`,
  },
  first: 'name',
  ties: sql`merchants.id`,
})

/** Rows of merchants with their numbers of machines. */
async function withMachines<Row extends { id: string }>(db: TenantDb, rows: readonly Row[]) {
  const ids = rows.map(({ id }) => id)
  const counts = ids.length === 0 ? [] : await machineCounts(db, ids).execute()
  const machinesOf = new Map(counts.map(({ merchant_id, machines }) => [merchant_id, machines]))
  return rows.map((row) => ({ ...row, machines: machinesOf.get(row.id) ?? 0 }))
}

/** A page of the scope's merchants, by default by name. */
export async function pageOfMerchants(db: TenantDb, query: MerchantFilters & Page & Sorted<Ord>) {
  // Counting the machines of all merchants costs more than those of a page.
  const page = await pageOf(db, query, {
    matching: () =>
      query.ord === 'machines' ? (countedMerchants(db, query) as Matching) : merchantsMatching(db, query),
    order: merchantOrdering(query),
    select: (merchants) =>
      merchants.select((of) =>
        (['legal_name', 'contact_name', 'contact_email', 'sap_code'] as const).map((column) =>
          of.fn.coalesce(`merchant_details.${column}`, sql<string>`''`).as(column),
        ),
      ),
  })
  return { ...page, rows: await withMachines(db, page.rows) }
}

// Cast: a query with one more joined table selects the same.
type Matching = ReturnType<typeof merchantsMatching>

/** A merchant of the scope with its features and its number of machines that are not hidden. */
export async function findMerchant(db: TenantDb, id: string) {
  const row = await withFeatures(db).where('merchants.id', '=', id).executeTakeFirst()
  return row && (await withMachines(db, [row]))[0]
}

export interface FeatureSettings {
  features: Feature[]
  productFamilies: ProductFamily[]
  maximumMachines: number | null
  maximumPeople: number | null
  version: number
}

const storedFeatures = (db: TenantDb, merchantId: string) =>
  db
    .from('merchant_features')
    .where('merchant_features.merchant_id', '=', merchantId)
    .selectAll('merchant_features')
    .executeTakeFirst()

/** The features of a merchant that this version knows. Without a row: none, in the first version. */
export async function featuresOf(db: TenantDb, merchantId: string): Promise<FeatureSettings> {
  const row = await storedFeatures(db, merchantId)
  if (!row) return { features: [], productFamilies: [], maximumMachines: null, maximumPeople: null, version: 1 }
  return {
    features: row.features.filter(isFeature),
    productFamilies: row.product_families.filter(isProductFamily),
    maximumMachines: row.maximum_machines,
    maximumPeople: row.maximum_people,
    version: row.version,
  }
}

/** Stores the features of a merchant; undefined if another user has changed them since `version`. Features of a newer version stay. */
export async function storeFeatures(
  db: TenantDb,
  merchantId: string,
  { version, ...settings }: FeatureSettings,
): Promise<FeatureSettings | undefined> {
  const before = await storedFeatures(db, merchantId)
  const row = {
    features: [...settings.features, ...(before?.features ?? []).filter((code) => !isFeature(code))],
    product_families: [
      ...settings.productFamilies,
      ...(before?.product_families ?? []).filter((code) => !isProductFamily(code)),
    ],
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
