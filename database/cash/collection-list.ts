import { type RawBuilder, sql } from 'kysely'
import type { Collection, CollectionFilters, collectionOrds, Pieces } from '#contract/cash/collection.ts'
import type { PiecesBasis } from '#contract/vocabulary/cash.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { anyOf, inPeriod, machinesFound, when } from '../frame/conditions.ts'
import { cappedAt, countLimit, orderOf, type Page, pageByIds, type Sorted } from '../frame/list.ts'
import { type Hidden, hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import { seenBox } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { figuresOf, isOpen, isWithheld } from './collection-figures.ts'

type Ord = (typeof collectionOrds)[number]

/** The newest first by default. Rows without a value are last. Orders by figures need those of the collection as `known`. */
export const collectionOrdering = orderOf<Ord>({
  by: {
    at: sql`c.at`,
    posName: sql`lower(machine.name)`,
    merchant: sql`lower(merchants.name)`,
    audited: sql`known.audited`,
    transmitted: sql`known.transmitted`,
    difference: sql`abs(c.counted_total - known.expected)`,
    countedBy: sql`c.counted_at`,
    closedBy: sql`c.closed_at`,
    bagNumber: sql`lower(c.bag_number)`,
    status: sql`array_position(array['open', 'disputed', 'counted', 'closed'], c.status)`,
    counted: sql`c.counted_total`,
    countSight: sql`c.count_sight`,
    note: sql`lower(c.note)`,
  },
  first: 'at',
  falling: ['at', 'audited', 'transmitted', 'difference', 'countedBy', 'closedBy'],
  full: ['at'],
  ties: sql`c.id desc`,
})

/** Whether a collection `c` is in a bank deposit. */
const isInDeposit = (db: TenantDb) => sql<boolean>`exists (select 1 from deposited_collections d
  where ${db.own('d')} and d.merchant_id = c.merchant_id and d.collection_id = c.id)`

/** The slip of the deposit of a collection `c`. */
const slipOf = (db: TenantDb, fact: RawBuilder<unknown>) => sql`(select ${fact} from deposited_collections d
  join deposits on ${db.own('deposits')} and deposits.merchant_id = d.merchant_id and deposits.id = d.deposit_id
  where ${db.own('d')} and d.merchant_id = c.merchant_id and d.collection_id = c.id)`

/** Orders by figures, for which those of every matching collection are read. */
const figureOrds: readonly (Ord | undefined)[] = ['audited', 'transmitted', 'difference']

/** Returns a function that starts a query on the matching collections `c` alone, also those of deleted machines. */
async function collectionsFound(db: TenantDb, filters: CollectionFilters) {
  const { search, bagNumber, groupIds, posIds, statuses, isDeposited, ...period } = filters
  const isFound = await machinesFound(db, search)
  const inside = await inPeriod(db, 'c', 'at', period)
  return () =>
    db.query
      .selectFrom('collections as c')
      .where(db.narrow('collections', 'c'))
      .where(inside)
      .where(isFound('c.machine_id'))
      .where(anyOf('c.machine_id', posIds, 'uuid'))
      .where(
        when(
          groupIds,
          (some) => sql<boolean>`exists (select 1 from machines placed where ${db.own('placed')}
            and placed.merchant_id = c.merchant_id and placed.id = c.machine_id and placed.group_id = any(${some}::uuid[]))`,
        ),
      )
      .where(anyOf('c.status', statuses, 'text'))
      .where(when(isDeposited, (is) => sql<boolean>`${isInDeposit(db)} = ${is}`))
      .where(when(bagNumber, (number) => sql<boolean>`lower(c.bag_number) = lower(${number})`))
}

/** The same with merchant and machine, for orders and files. */
export async function collectionsMatching(db: TenantDb, filters: CollectionFilters) {
  const found = await collectionsFound(db, filters)
  return () =>
    found()
      .innerJoin('merchants', 'merchants.id', 'c.merchant_id')
      .innerJoin('machines as machine', (join) =>
        join.onRef('machine.merchant_id', '=', 'c.merchant_id').onRef('machine.id', '=', 'c.machine_id'),
      )
      .where(db.own('machine'))
}

/** A collection with its figures, as the reader may see it. */
export interface CollectionRow
  extends Omit<
    RowOf<typeof Collection>,
    'pos_id' | 'pos_name' | 'pos_serial' | 'counted' | 'difference' | 'blind_counted'
  > {
  machine_id: string
  blind_total: number | null
  machine_name: string
  serial: string
  until: Date
  counted: Pieces[] | null
  counted_total: number | null
  settings_tolerance: number
  disputed_at: Date | null
  disputed_by: string | null
  dispute_reason: string | null
  frozen: {
    audited: { pieces: Pieces[] }
    transmitted: { pieces: Pieces[]; from?: PiecesBasis | null; at?: string | null }
  } | null
}

const nameOf = (who: 'counted' | 'disputed' | 'closed', hidden: Hidden) =>
  redactedName(sql.ref(`c.${who}_by`), sql.ref(`c.${who}_by_name`), hidden)

/** The tolerance at the count; before it, that of the settings. */
const tolerance = sql<number>`coalesce(c.tolerance, settings.collection_tolerance)`

/** The values of a collection by their columns in a file, without the names of users. */
export const collectionValues = {
  machine: sql`machine.name`,
  machineSerial: sql`machine.serial`,
  merchant: sql`merchants.name`,
  at: sql`c.at`,
  bagNumber: sql`c.bag_number`,
  status: sql`c.status`,
  audited: sql`known.audited`,
  transmitted: sql`known.transmitted`,
  counted: sql`c.counted_total`,
  difference: sql`(c.counted_total - known.expected)`,
  countSight: sql`c.count_sight`,
  blindCounted: sql`c.blind_total`,
  countedAt: sql`c.counted_at`,
  closedAt: sql`c.closed_at`,
  note: sql`c.note`,
}

/** The slip of a collection `c` in a file. */
export const slipReference = (db: TenantDb) => slipOf(db, sql`deposits.reference`)

/** Collections by their ids, with their figures. `isKnowing`: also the figures that are hidden before the count. */
export async function findCollections(db: TenantDb, ids: readonly string[], seesInvisible: boolean, isKnowing = false) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const { rows } = await sql<CollectionRow>`
    select c.id, c.merchant_id, merchants.name as merchant_name, merchants.time_zone, merchants.currency, c.machine_id,
      ${slipOf(db, sql`jsonb_build_object('id', deposits.id, 'reference', deposits.reference)`)} as deposit,
      machine.name as machine_name, machine.serial, c.at, c.until, c.bag_number, c.status, c.counted, c.counted_total, c.note, c.version,
      c.frozen, c.count_sight, c.blind_total, ${isWithheld(db)} as is_withheld, c.counted_at, c.disputed_at, c.closed_at, c.dispute_reason, ${tolerance} as tolerance,
      settings.collection_tolerance as settings_tolerance,
      ${nameOf('counted', hidden)} as counted_by, ${nameOf('disputed', hidden)} as disputed_by, ${nameOf('closed', hidden)} as closed_by,
      known.*
    from collections c
    join merchants on merchants.id = c.merchant_id
    join merchant_settings settings on settings.merchant_id = c.merchant_id and ${db.own('settings')}
    join machines machine on machine.merchant_id = c.merchant_id and machine.id = c.machine_id and ${db.own('machine')}
    cross join lateral ${isKnowing ? figuresOf(db, isOpen) : figuresOf(db)} known
    where ${db.narrow('collections', 'c')} and c.id = any(${ids}::uuid[])`.execute(db.query)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The number and sums of the matching collections by currency, from the index by time alone. */
async function sumCollections(db: TenantDb, filters: CollectionFilters) {
  const found = await collectionsFound(db, filters)
  const sums = found()
    .select('c.merchant_id')
    .select([
      sql<number>`count(*)`.as('n'),
      sql<number>`count(*) filter (where c.status = 'open')`.as('open'),
      sql<number>`coalesce(sum(c.counted_total), 0)`.as('counted'),
    ])
    .groupBy('c.merchant_id')
  const { rows } = await sql<{ currency: Currency; n: number; open: number; counted: number }>`
    select merchants.currency, sum(s.n)::int as n, sum(s.open)::int as open, sum(s.counted)::bigint as counted
    from (${sums}) s join merchants on merchants.id = s.merchant_id
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** A page of collections, and their sums by currency. */
export async function listCollections(
  db: TenantDb,
  query: CollectionFilters & Page & Sorted<Ord>,
  seesInvisible: boolean,
) {
  const sums = await sumCollections(db, query)
  const matching = await collectionsMatching(db, query)
  const common = {
    order: collectionOrdering(query),
    counted: cappedAt(
      countLimit,
      sums.reduce((all, { n }) => all + n, 0),
    ),
    id: 'c.id',
    load: async (ids: readonly string[], each: TenantDb) => [
      ...(await findCollections(each, ids, seesInvisible)).values(),
    ],
  }
  const page = figureOrds.includes(query.ord)
    ? await pageByIds(db, query, {
        ...common,
        matching: () => matching().innerJoinLateral(figuresOf(db).as('known'), (join) => join.onTrue()),
      })
    : await pageByIds(db, query, { ...common, matching })
  return { ...page, sums: sums.map(({ n: _, ...shown }) => shown) }
}

/** Cash in the boxes of machines, by currency. */
export async function cashInBoxes(db: TenantDb) {
  const { rows } = await sql<{ currency: Currency; machines: number; value: number }>`
    select merchants.currency, count(*)::int as machines, sum(machine.cash_in_box)::bigint as value
    from machines machine join merchants on merchants.id = machine.merchant_id
    where ${db.narrow('machines', 'machine')} and not machine.hidden and ${seenBox(db, sql`machine.cash_in_box`, 'machine')} > 0
    group by 1 order by 1`.execute(db.query)
  return rows
}

/** Both sides of a closed collection as they would be with data that arrived later. */
export async function figuresNow(db: TenantDb, id: string) {
  const { rows } = await sql<{ audited: number | null; transmitted: number | null }>`
    select known.audited, known.transmitted from collections c cross join lateral ${figuresOf(db, sql`true`)} known
    where ${db.narrow('collections', 'c')} and c.id = ${id}`.execute(db.query)
  return rows[0]
}

/** The reports of a collection, the oldest first. */
export async function sourcesOf(db: TenantDb, id: string, seesInvisible: boolean) {
  const hidden = await hiddenFrom(db, seesInvisible)
  return db
    .from('collection_sources')
    .where('collection_sources.collection_id', '=', id)
    .select(['source', 'source_id', 'at'])
    .select(redactedName(sql`user_id`, sql`user_name`, hidden).as('by'))
    .orderBy('at')
    .orderBy('source_id')
    .execute()
}
