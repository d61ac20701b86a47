import { type RawBuilder, sql } from 'kysely'
import type { Lack, Transaction, TransactionFilters } from '#contract/sales/transaction.ts'
import { noMediaSerial } from '#contract/vocabulary/media.ts'
import { saleTypes } from '#contract/vocabulary/transaction.ts'
import { isCodeOf, productOfCode } from '../facts/product-name.ts'
import { eachOf } from '../frame/apart/apart.ts'
import { anyOf, inPeriod, machinesFound, when } from '../frame/conditions.ts'
import { type Cursor, readCursor, writeCursor } from '../frame/cursor.ts'
import { hasFeature } from '../frame/has-feature.ts'
import {
  type Counted,
  countEach,
  countLimit,
  type Directed,
  exactLimit,
  offsetOf,
  type Page,
  rowsWithin,
} from '../frame/list.ts'
import { nearFirst } from '../frame/reach.ts'
import type { RowOf } from '../frame/row.ts'
import { seenTypes, withSeenTypes } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { ofMedias } from './media-filter.ts'
import { moneyOfSale } from './money-of-sale.ts'
import { productFilter, sentCode } from './product-filter.ts'
import { paidWith } from './sales.ts'
import { hadNo, wasAt } from './terms-of-day.ts'
import { countFromSums } from './transaction-count.ts'

export interface TransactionRecord
  extends Omit<
    RowOf<typeof Transaction>,
    'pos_id' | 'pos_name' | 'pos_serial' | 'is_anonymous_media' | 'refundable' | 'refund_refusal'
  > {
  machine_id: string
  machine_name: string
  serial: string
  charged: number
  reversed: number
  refunded: number
  /** Of the registered medium; null without one. */
  media_status: number | null
  /** The medium's credit and bonus, of failed vends. Minor units. */
  media_balance: number
  /** Limits of the merchant. Minor units. */
  maximum_refund: number
  largest_balance: number | null
  micros: number
}

/** What other tables say of the filters: machines that a search finds, and serials of media. */
interface Found {
  isMachine: Awaited<ReturnType<typeof machinesFound>>
  isOfMedias: RawBuilder<boolean>
}
const searchIn = async (db: TenantDb, filters: TransactionFilters): Promise<Found> => ({
  isMachine: await machinesFound(db, filters.search),
  isOfMedias: await ofMedias(db, 't', filters),
})

const allOf = (conditions: RawBuilder<boolean>[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`
const isTrue = (column: string, expected: boolean | undefined) =>
  when(expected, (isExpected) => sql<boolean>`${sql.ref(column)} = ${isExpected}`)

/**
 * The owners of the requested transactions: whole merchants `m` or, if machines are selected, each machine `p`. Both have their own
 * index, which finds the newest rows without reading the others.
 */
function ownersOf(db: TenantDb, { posIds, groupIds, clientIds, terms }: TransactionFilters) {
  const arePlaced = terms !== 'ofDay' && (groupIds?.length || clientIds?.length)
  const areChosen = posIds?.length || arePlaced || db.scope.some((pair) => pair.groups !== 'all')
  if (!areChosen)
    return {
      owners: sql`merchants m`,
      isSelected: db.narrow('merchants', 'm'),
      ofScope: sql<boolean>`t.merchant_id = m.id and ${db.narrow('transactions', 't')}`,
    }
  return {
    owners: sql`machines p join merchants m on m.id = p.merchant_id`,
    isSelected: allOf([
      db.narrow('machinesEver', 'p'),
      anyOf('p.id', posIds, 'uuid'),
      ...(arePlaced ? [anyOf('p.group_id', groupIds, 'uuid'), anyOf('p.client_id', clientIds, 'uuid')] : []),
    ]),
    ofScope: sql<boolean>`${db.own('t')} and t.merchant_id = p.merchant_id and t.machine_id = p.id`,
  }
}

/**
 * Conditions on `t`, beside its owner, and the merchant `m` whose zone defines its days. The first condition is where the index scan
 * begins: at the cursor, since from the end of the period it would read all rows before the page. The other end of the period is a row
 * comparison: with two single bounds the planner underestimates the rows and would not read them in order.
 */
const matching = (
  db: TenantDb,
  ofScope: RawBuilder<boolean>,
  filters: TransactionFilters,
  searching: Found,
  isAscending = true,
  cursor?: Cursor,
): RawBuilder<boolean> => {
  const since = sql`start_of_day(${filters.startDate}::date, m.time_zone)`
  const until = sql`start_of_day(${filters.endDate}::date + 1, m.time_zone)`
  const at = (micros: number) => sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  const place = cursor && sql`(${at(cursor.micros)}, ${cursor.id}::uuid)`
  const bounds = isAscending
    ? [
        sql<boolean>`t.created_at >= ${cursor ? sql`greatest(${since}, ${at(cursor.micros)})` : since}`,
        sql<boolean>`(t.created_at, t.id) < (${until}, ${firstId}::uuid)`,
        ...(place ? [sql<boolean>`(t.created_at, t.id) > ${place}`] : []),
      ]
    : [
        sql<boolean>`t.created_at < ${cursor ? sql`least(${until}, ${at(cursor.micros + 1)})` : until}`,
        sql<boolean>`(t.created_at, t.id) >= (${since}, ${firstId}::uuid)`,
        ...(place ? [sql<boolean>`(t.created_at, t.id) < ${place}`] : []),
      ]
  return allOf([ofScope, ...bounds, ...ofKind(db, filters, searching)])
}

/** Whether the serial of `t` is the placeholder of a media without one. */
export const isWithoutMedia = sql<boolean>`t.media_serial ilike ${sql.lit(noMediaSerial)}`

/**
 * Transactions `t`, with a search beside them whether their product and their medium have the text; it must not find values that the list
 * hides. Few products are sold very often: `offset 0` keeps these apart from the rows, so that each text is read once.
 */
const searchedRows = (db: TenantDb, { search }: TransactionFilters): RawBuilder<unknown> =>
  search
    ? sql`transactions t
      cross join lateral (select (${holds(sql`t.product`, search)} or ${holds(sql`t.product_code`, search)}
        or ${isCodeOf(db, search, sql`t.merchant_id`, sentCode)}) and ${hasFeature(db, 'vending', 't')} as is_found offset 0) of_product
      cross join lateral (select ${holds(sql`t.media_serial`, search)} and not ${isWithoutMedia}
        and ${hasFeature(db, 'transactionDetails', 't')} as is_found offset 0) of_media`
    : sql`transactions t`

/** One type is part of the text of a statement: a plan for any type could not use the index of rare ones. */
const ofTypes = (types: readonly number[] | undefined): RawBuilder<boolean> =>
  types?.length === 1 ? sql<boolean>`t.type = ${sql.lit(types[0])}` : anyOf('t.type', types, 'int')

/** Conditions on `t` without owner and time. */
const ofKind = (db: TenantDb, filters: TransactionFilters, searching: Found): RawBuilder<boolean>[] => [
  ofTypes(filters.types),
  anyOf('t.media_type', filters.mediaTypes, 'int'),
  anyOf('t.media_source', filters.mediaSources, 'int'),
  when(filters.paidWith, (some) => sql<boolean>`${paidWith('t')} = any(${some}::int[])`),
  isTrue('t.free_sale', filters.freeSale),
  isTrue('t.error_sale', filters.errorSale),
  searching.isOfMedias,
  ...ofSlice(db, filters),
  ...(filters.search
    ? [sql<boolean>`(of_product.is_found or of_media.is_found or ${searching.isMachine('t.machine_id')})`]
    : []),
]

/** The rows behind a figure of a report. */
function ofSlice(db: TenantDb, filters: TransactionFilters): RawBuilder<boolean>[] {
  const { priceTables, hours, without, refunded, terms } = filters
  const row = {
    merchantId: sql`t.merchant_id`,
    machineId: sql`t.machine_id`,
    day: sql`(t.created_at at time zone (select z.time_zone from merchants z where z.id = t.merchant_id))::date`,
  }
  const { conditions, lacking: lackingProduct } = productFilter(db, filters, row)
  const lacking = {
    product: sql<boolean>`coalesce(${sentCode}, '') = ''`,
    ...lackingProduct,
    priceTable: sql<boolean>`t.price_table is null`,
    group: hadNo(db, 'group_id', row, terms),
    client: hadNo(db, 'client_id', row, terms),
  } satisfies Record<Lack, RawBuilder<boolean>>
  return [
    ...conditions,
    anyOf('t.price_table', priceTables, 'int'),
    ...(hours?.length
      ? [
          sql<boolean>`extract(hour from t.created_at at time zone
            (select z.time_zone from merchants z where z.id = t.merchant_id))::int = any(${hours}::int[])`,
        ]
      : []),
    ...(terms === 'ofDay' ? [wasAt(db, filters, row)] : []),
    ...(without ?? []).map((lack) => lacking[lack]),
    ...(refunded === undefined
      ? []
      : [
          sql<boolean>`${refunded} = exists (select 1 from refunds rr
            where ${db.own('rr')} and rr.merchant_id = t.merchant_id and rr.transaction_id = t.id)`,
        ]),
  ]
}

/** Sorts before every id. */
const firstId = '00000000-0000-0000-0000-000000000000'
const microsOf = sql`(extract(epoch from t.created_at) * 1000000)::bigint`

/** The columns of a transaction, from its row `t` and its merchant `m`. */
const listedColumns = (
  db: TenantDb,
) => sql`t.id, t.merchant_id, m.name as merchant_name, m.time_zone, m.currency, t.machine_id,
  p.name as machine_name, p.serial, t.type, t.media_type, t.media_source, ${paidWith('t')} as paid_with, t.price_line, t.price_table,
  coalesce((select of_code.name from (${productOfCode(db, sql`t.merchant_id`, sentCode)}) of_code), t.product) as product,
  t.product as sent_product, t.product_code, t.value, t.value_charge, t.free_sale, t.error_sale, t.media_serial, t.credit_card_file_id,
  t.external_user_id, t.created_at, t.machine_time, t.saved_at, ${microsOf} as micros,
t.epoch, t.original_seq,
  me.id as media_id, me.status as media_status, cu.id as customer_id, cu.name as customer_name,
  limits.maximum_refund, limits.largest_balance,
  case when t.error_sale then coalesce((select sum(ac.balance)::bigint from ledger_accounts ac where ${db.own('ac')}
    and ac.merchant_id = t.merchant_id and ac.owner_id = me.id and ac.kind in ('credit', 'bonus')), 0) else 0 end as media_balance,
  ${moneyOfSale(db)}, (select re.id from refunds re where ${db.own('re')} and re.merchant_id = t.merchant_id
    and re.transaction_id = t.id order by re.created_at desc limit 1) as refund_id`

/** A row as `shown` selects it. */
type ShownRow = Omit<TransactionRecord, 'original_transaction_id'> & {
  epoch: number | null
  original_seq: number | null
}

/**
 * Adds the originals of reversals. Few pages have any, and the others need not search months for them. A machine reverses a sale soon after it,
 * so its newest sales are searched first.
 */
async function withOriginals(db: TenantDb, rows: readonly ShownRow[]): Promise<TransactionRecord[]> {
  const reversals = rows.filter(({ original_seq }) => original_seq !== null)
  const originals = new Map<string, string>()
  if (reversals.length > 0) {
    const wanted = reversals.map(({ id, merchant_id, machine_id, epoch, original_seq, micros }) => ({
      id,
      merchant_id,
      machine_id,
      epoch,
      original_seq,
      micros,
    }))
    const at = sql`(timestamptz 'epoch' + back.micros * interval '1 microsecond')`
    const { rows: found } = await sql<{ id: string; original: string }>`
      select back.id, original.id as original
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as back (id uuid, merchant_id uuid, machine_id uuid, epoch int, original_seq bigint, micros bigint)
      cross join lateral (
        select o.id from transactions o
        where ${db.own('o')} and o.merchant_id = back.merchant_id and o.machine_id = back.machine_id and o.seq = back.original_seq
          and o.epoch = back.epoch and o.created_at between ${at} - interval '60 days' and ${at} + interval '1 day'
        order by o.created_at desc limit 1
      ) original`.execute(eachOf(db, [...new Set(reversals.map((row) => row.merchant_id))]).query)
    for (const { id, original } of found) originals.set(id, original)
  }
  return rows.map((row) => ({ ...row, original_transaction_id: originals.get(row.id) ?? null }))
}

/** The medium of `t` and its customer. */
const besideMedia = (db: TenantDb) => sql`
  left join medias me on ${db.own('me')} and me.merchant_id = t.merchant_id and me.serial = t.media_serial
  left join customers cu on ${db.own('cu')} and cu.merchant_id = me.merchant_id and cu.id = me.customer_id
  left join merchant_settings limits on ${db.own('limits')} and limits.merchant_id = t.merchant_id`

/**
 * A page of transactions by time. With a cursor the cost is the same at any depth: each owner's index is read from the cursor on. Without
 * one the page is counted from the start, up to the count limit.
 */
export async function listTransactions(
  db: TenantDb,
  chosen: TransactionFilters,
  page: Page & Directed & { cursor?: string | undefined },
) {
  const filters = withSeenTypes(db, chosen)
  const searching = await searchIn(db, filters)
  const counted = await countTransactions(db, filters, searching)
  // Otherwise the whole period would be read for nothing.
  if (counted.total === 0) return { rows: [], ...counted, next: null, previous: null }
  const cursor = readCursor(page.cursor)
  const oldestFirst = page.ordType === 'ASC'
  // Going back reads in reverse order and reverses the rows at the end.
  const ascending = cursor?.back ? !oldestFirst : oldestFirst
  const direction = sql.raw(ascending ? 'asc' : 'desc')
  const offset = cursor ? 0 : offsetOf(page)
  const length = page.size + 1
  const { owners, isSelected, ofScope } = ownersOf(db, filters)
  const rows = await rowsWithin(
    db,
    { offset, length },
    (part) => sql<ShownRow>`
    select ${listedColumns(db)} from (
      select t.* from ${owners} cross join lateral (
        select t.* from ${searchedRows(db, filters)}
        where ${matching(db, ofScope, filters, searching, ascending, cursor)}
        order by t.created_at ${direction}, t.id ${direction} limit ${sql.lit(part.offset + part.length)}
      ) t
      where ${isSelected}
      order by t.created_at ${direction}, t.id ${direction} limit ${sql.lit(part.length)} offset ${sql.lit(part.offset)}
    ) t
    join merchants m on m.id = t.merchant_id
    join machines p on ${db.own('p')} and p.merchant_id = t.merchant_id and p.id = t.machine_id
    ${besideMedia(db)}
    order by t.created_at ${direction}, t.id ${direction}`,
    sql`r.created_at ${direction}, r.id ${direction}`,
  )
  const hasMore = rows.length > page.size
  const shownRows = rows.slice(0, page.size)
  if (cursor?.back) shownRows.reverse()
  const first = shownRows[0]
  const last = shownRows.at(-1)
  const hasNext = cursor?.back ? true : hasMore
  const hasPrevious = cursor?.back ? hasMore : cursor !== undefined || offset > 0
  return {
    rows: await withOriginals(db, shownRows),
    ...counted,
    next: hasNext && last ? writeCursor({ micros: last.micros, id: last.id, back: false }) : null,
    previous: hasPrevious && first ? writeCursor({ micros: first.micros, id: first.id, back: true }) : null,
  }
}

/** All transactions `t` that match; those of one merchant are in index order. */
export async function transactionsWanted(db: TenantDb, chosen: TransactionFilters): Promise<RawBuilder<unknown>> {
  const filters = withSeenTypes(db, chosen)
  const { groupIds, clientIds } = filters
  const ofMachines = sql<boolean>`(t.merchant_id, t.machine_id) in (select p.merchant_id, p.id from machines p
    where ${db.narrow('machinesEver', 'p')} and ${anyOf('p.group_id', groupIds, 'uuid')} and ${anyOf('p.client_id', clientIds, 'uuid')})`
  const conditions = [
    db.narrow('transactions', 't'),
    await inPeriod(db, 't', 'created_at', filters),
    anyOf('t.machine_id', filters.posIds, 'uuid'),
    ...(groupIds?.length || clientIds?.length ? [ofMachines] : []),
    ...ofKind(db, filters, await searchIn(db, filters)),
  ]
  return sql`select t.* from ${searchedRows(db, filters)} where ${allOf(conditions)}`
}

/** Exactly from sums if possible; otherwise by counting rows up to a limit, which is lower for a search, to which no figure leads. */
async function countTransactions(db: TenantDb, filters: TransactionFilters, searching: Found) {
  const summed = await countFromSums(db, filters)
  if (summed !== undefined) return { total: summed, capped: false }
  const limit = filters.search === undefined ? exactLimit : countLimit
  return countOneByOne(db, filters, searching, limit)
}

async function countOneByOne(
  db: TenantDb,
  filters: TransactionFilters,
  searching: Found,
  limit: number,
): Promise<Counted> {
  const { owners, isSelected, ofScope } = ownersOf(db, filters)
  return countEach(
    db,
    sql`select 1 from ${owners} cross join lateral (
        select 1 from ${searchedRows(db, filters)} where ${matching(db, ofScope, filters, searching)} limit ${limit + 1}
      ) t where ${isSelected}`,
    limit,
  )
}

/** Vends of a machine within some minutes of a moment that a caller names: failed ones first, then the nearest. */
export async function vendsAround(
  db: TenantDb,
  { posId, at, minutes, most }: { posId: string; at: Date; minutes: number; most: number },
): Promise<TransactionRecord[]> {
  const end = (sign: number) => new Date(at.getTime() + sign * minutes * 60_000)
  const { rows } = await sql<ShownRow>`
    select ${listedColumns(db)} from (
      select t.* from transactions t
      where ${db.narrow('transactions', 't')} and t.machine_id = ${posId}::uuid and t.created_at between ${end(-1)} and ${end(1)}
        and t.type in (${sql.join(saleTypes.map((type) => sql.lit(type)))})
      order by t.error_sale desc, abs(extract(epoch from t.created_at - ${at}::timestamptz)), t.id limit ${sql.lit(most)}
    ) t
    join merchants m on m.id = t.merchant_id
    join machines p on ${db.own('p')} and p.merchant_id = t.merchant_id and p.id = t.machine_id
    ${besideMedia(db)}
    order by t.error_sale desc, abs(extract(epoch from t.created_at - ${at}::timestamptz)), t.id`.execute(db.query)
  return withOriginals(db, rows)
}

/** One transaction; with `around` only within a day of this instant. */
export const findTransaction = (db: TenantDb, id: string, around?: Date): Promise<TransactionRecord | undefined> =>
  nearFirst(sql<Date>`t.created_at`, id, async (isThere) => {
    const isAround = when(
      around,
      (at) =>
        sql<boolean>`t.created_at between ${at}::timestamptz - interval '1 day' and ${at}::timestamptz + interval '1 day'`,
    )
    const { rows } = await sql<ShownRow>`
      select ${listedColumns(db)} from transactions t
      join merchants m on m.id = t.merchant_id
      join machines p on p.merchant_id = t.merchant_id and p.id = t.machine_id
      ${besideMedia(db)}
      where t.id = ${id}::uuid and ${isThere} and ${isAround} and ${anyOf('t.type', seenTypes(db), 'int')} and ${db.narrow('transactions', 't')}`.execute(
      db.query,
    )
    return (await withOriginals(db, rows))[0]
  })
