import { sql } from 'kysely'
import type { PricesItem } from '#contract/device-protocol.ts'
import { chargedPrice } from '#domain/catalogue/wrong-price.ts'
import { nameAmong, namesOfLine } from '#domain/frame/selection-name.ts'
import { priceKeyColumns } from '../facts/price-key.ts'
import { insertColumns, insertRows } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { AuditRow } from '../ingest/audit-rows.ts'
import type { ItemHead, SaleRow } from '../ingest/ingest.ts'
import { historyRows, notePrices, type PriceStep, unreported } from './price-edit.ts'
import { endPlanned } from './price-plan.ts'

/*
 * What machines report, what audits show and what sales cost. The caller has locked the machines' journals, so that these rows have one
 * writer at a time.
 */

export interface PricesReport extends ItemHead {
  prices: PricesItem
}

const columns = [
  'merchant_id',
  'machine_id',
  'selection',
  'price_table',
  'product',
  'price',
  'gone',
  'at',
  'epoch',
  'seq',
]
const keepNewest = `on conflict (merchant_id, machine_id, selection, price_table) do update set
  ${columns
    .slice(4)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}
  where (machine_prices.epoch, machine_prices.seq) < (excluded.epoch, excluded.seq)`

interface StoredPrice {
  price: number | null
  epoch: number
  seq: number
}

const lineOf = (machineId: string, selection: string, priceTable: number) => `${machineId} ${priceTable} ${selection}`

/** What machines reported before; whether a merchant wants a price of any of them. */
async function storedPrices(db: TenantDb, machineIds: readonly string[]) {
  const rows = await db
    .from('machine_prices')
    .where(sql<boolean>`machine_prices.machine_id = any(${machineIds}::uuid[])`)
    .select(['machine_id', 'selection', 'price_table', 'price', 'epoch', 'seq', 'wanted'])
    .execute()
  const stored = new Map(
    rows.map((row): [string, StoredPrice] => [lineOf(row.machine_id, row.selection, row.price_table), row]),
  )
  return {
    stored,
    machinesWithWanted: new Set(rows.flatMap(({ machine_id, wanted }) => (wanted === null ? [] : machine_id))),
  }
}

/**
 * Stores reported prices; an older report of a price never replaces a newer one. Another price than before is in the history. Returns the
 * machines with wanted prices.
 */
export async function writePrices(db: TenantDb, reports: readonly PricesReport[]): Promise<string[]> {
  if (reports.length === 0) return []
  const { stored, machinesWithWanted } = await storedPrices(db, [...new Set(reports.map(({ machineId }) => machineId))])
  const rows = new Map<string, unknown[]>()
  const steps: (PriceStep & { at: Date; source: 'device'; user: null })[] = []
  for (const { prices, ...head } of reports.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0))) {
    const { merchantId, machineId } = head
    const epoch = head.epoch ?? 0
    const seq = head.seq ?? 0
    const at = new Date(head.at)
    for (const { selection, priceTable, product = null, price, gone } of prices.prices) {
      const key = lineOf(machineId, selection, priceTable)
      const before = stored.get(key)
      if (before && (before.epoch > epoch || (before.epoch === epoch && before.seq >= seq))) continue
      // The price of a selection that is gone is nothing to compare with.
      if (before && before.price !== null && !gone && before.price !== price)
        steps.push({
          merchantId,
          machineId,
          selection,
          priceTable,
          at,
          source: 'device',
          user: null,
          before: before.price,
          after: price,
        })
      stored.set(key, { price: gone ? (before?.price ?? null) : price, epoch, seq })
      rows.set(key, [merchantId, machineId, selection, priceTable, product, price, gone, at, epoch, seq])
    }
  }
  // All transactions write rows in this order, which avoids deadlocks.
  const inOrder = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  if (inOrder.length > 0) await insertRows(db.query, 'machine_prices', columns, inOrder, keepNewest)
  if (steps.length > 0) {
    await insertColumns(db.query, historyRows(steps))
    await notePrices(db, steps)
  }
  return [...machinesWithWanted]
}

/** The names by which machines report selections, or users want prices for them: an audit may write 4 as 04. */
async function namesBesideAudits(db: TenantDb, machineIds: readonly string[]) {
  const rows = await db
    .from('machine_prices')
    .where(sql<boolean>`machine_prices.machine_id = any(${machineIds}::uuid[])`)
    .where(
      sql<boolean>`(machine_prices.wanted is not null or machine_prices.price is not null and not machine_prices.gone)`,
    )
    .select(['machine_id', 'selection'])
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ machine_id }) => machine_id)].map(([id, selections]) => [
      id,
      new Set(selections.map(({ selection }) => selection)),
    ]),
  )
}

/** Stores the prices of audits; an older audit never replaces a newer one. Returns the machines. */
export async function writeAuditedPrices(db: TenantDb, audits: readonly AuditRow[]): Promise<string[]> {
  const newest = new Map(audits.toSorted((one, other) => one.at - other.at).map((audit) => [audit.machineId, audit]))
  const priced = [...newest.values()].filter(({ prices }) => prices.length > 0)
  if (priced.length === 0) return []
  const names = await namesBesideAudits(
    db,
    priced.map(({ machineId }) => machineId),
  )
  const lines = priced.flatMap(({ merchantId, machineId, at, prices }) =>
    [
      ...new Map(
        prices.map((price) => {
          const selection = nameAmong(price.selection, names.get(machineId) ?? new Set()) ?? price.selection
          return [`${price.priceTable} ${selection}`, { ...price, selection }]
        }),
      ).values(),
    ].map((price) => ({ merchantId, machineId, at: new Date(at).toISOString(), ...price })),
  )
  await insertColumns(db.query, {
    table: 'machine_prices',
    columns: [
      ...priceKeyColumns(lines),
      ...unreported,
      { name: 'audited', type: 'bigint', values: lines.map(({ price }) => price) },
      { name: 'audited_at', type: 'timestamptz', values: lines.map(({ at }) => at) },
    ],
    tail: `on conflict (merchant_id, machine_id, selection, price_table) do update set
      audited = excluded.audited, audited_at = excluded.audited_at
      where coalesce(machine_prices.audited_at, '-infinity') < excluded.audited_at`,
  })
  return [...newest.keys()]
}

interface SoldLine {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
  /** Of its newest sale. */
  price: number
  at: number
  prices: number[]
  /** In milliseconds. */
  ats: number[]
}

function soldLines(rows: readonly SaleRow[]): SoldLine[] {
  const lines = new Map<string, SoldLine>()
  for (const { sale, merchantId, machineId, at } of rows.toSorted(
    (a, b) => a.at - b.at || (a.seq ?? 0) - (b.seq ?? 0),
  )) {
    const charged = chargedPrice(sale)
    if (!charged) continue
    const { selection, priceTable, price } = charged
    const key = lineOf(machineId, selection, priceTable)
    const line = lines.get(key) ?? {
      merchantId,
      machineId,
      selection,
      priceTable,
      price,
      at,
      prices: [],
      ats: [],
    }
    line.prices.push(price)
    line.ats.push(at)
    lines.set(key, Object.assign(line, { price, at }))
  }
  return [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
}

// Lists are texts that the statement splits: a coordinator lets an update cast no column to an array.
/** The sales of a statement at another price than the target of their moment, as stored when they arrive. */
const wrongSales = (db: TenantDb) => sql`(
  select one.price, one.at, one.target from (
    select sale.price, sale.at, case when sale.at >= price.wanted_at then price.wanted else (
        select change.after from price_changes change
        where ${db.own('change')} and change.merchant_id = price.merchant_id and change.machine_id = price.machine_id
          and change.selection = price.selection and change.price_table = price.price_table and change.source <> 'device'
          and change.at <= sale.at order by change.at desc, change.id desc limit 1) end as target
    from (select said.price, to_timestamp(said.ms / 1000.0) as at from unnest(string_to_array(sold.prices, ',')::bigint[],
      string_to_array(sold.ats, ',')::bigint[]) said (price, ms)) sale
    where price.wanted is not null) one
  where one.price <> one.target)`

/**
 * Notes what sales cost. Most sales cost what the last one did and change nothing. A sale at another price than the target of its moment adds
 * to the open loss of its price, and opens it. One statement, and none without priced sales. Returns the machines that changed.
 */
export async function noteCharged(
  db: TenantDb,
  rows: readonly SaleRow[],
): Promise<{ merchantId: string; machineId: string }[]> {
  const lines = soldLines(rows)
  if (lines.length === 0) return []
  const changed = await preparedRows(
    db.query,
    sql<{ merchantId: string; machineId: string }>`
    update machine_prices price set
      charged = case when sold.at > coalesce(price.charged_at, '-infinity') then sold.price else price.charged end,
      charged_at = greatest(price.charged_at, sold.at),
      (wrong_sales, lost, wrong_since, wrong_closed_at) = (
        select price.wrong_sales + count(*), price.lost + coalesce(sum(wrong.target - wrong.price), 0),
          least(price.wrong_since, min(wrong.at)), case when count(*) = 0 then price.wrong_closed_at end
        from ${wrongSales(db)} wrong)
    from unnest(${lines.map(({ merchantId }) => merchantId)}::uuid[], ${lines.map(({ machineId }) => machineId)}::uuid[],
      ${lines.map(({ selection }) => selection)}::text[], ${lines.map(({ priceTable }) => priceTable)}::smallint[],
      ${lines.map(({ price }) => price)}::bigint[], ${lines.map(({ at }) => new Date(at))}::timestamptz[],
      ${lines.map(({ selection }) => namesOfLine(selection).join(','))}::text[],
      ${lines.map(({ prices }) => prices.join(','))}::text[], ${lines.map(({ ats }) => ats.join(','))}::text[])
      as sold (merchant_id, machine_id, selection, price_table, price, at, names, prices, ats)
    -- Each name is an own row: a list would be compared with all prices of the machine, since the policy keeps it from the index.
    cross join lateral unnest(string_to_array(sold.names, ',')) as named (selection)
    where ${db.own('price')} and price.merchant_id = sold.merchant_id and price.machine_id = sold.machine_id
      and price.selection = named.selection and price.price_table = sold.price_table
      and (price.selection = sold.selection or not exists (select 1 from machine_prices exact
        where ${db.own('exact')} and exact.merchant_id = sold.merchant_id and exact.machine_id = sold.machine_id
          and exact.selection = sold.selection and exact.price_table = sold.price_table and not exact.gone))
      and ((sold.at > coalesce(price.charged_at, '-infinity') and (price.charged is distinct from sold.price
        or price.charged_at < greatest(price.at, price.audited_at, price.wanted_at)))
        or exists ${wrongSales(db)})
    returning price.merchant_id as "merchantId", price.machine_id as "machineId"`,
  )
  return [...new Map(changed.map((machine) => [machine.machineId, machine])).values()]
}

/**
 * Forgets what a machine reported and charged; what its merchant wants stays, and so does an open loss. The caller has locked
 * the machine's journal.
 */
export async function forgetPriceSights(db: TenantDb, machineId: string): Promise<void> {
  await sql`delete from machine_prices price where ${db.narrow('machine_prices', 'price')} and price.machine_id = ${machineId}::uuid
    and price.wanted is null and price.wrong_sales = 0 and not exists (select 1 from planned_prices planned where ${db.own('planned')}
      and planned.merchant_id = price.merchant_id and planned.machine_id = price.machine_id
      and planned.selection = price.selection and planned.price_table = price.price_table and planned.status = 'planned')`.execute(
    db.query,
  )
  await sql`update machine_prices set price = null, at = null, product = null, gone = false, epoch = 0, seq = 0,
      audited = null, audited_at = null, charged = null, charged_at = null, wrong_closed_at = null, wrong_since = case when wrong_sales > 0 then wrong_since end
    where ${db.narrow('machine_prices')} and machine_id = ${machineId}::uuid`.execute(db.query)
}

/** Ends the planned prices of a machine that leaves its merchant. The caller has locked its journal. */
export const losePlannedPrices = (db: TenantDb, machineId: string) => endPlanned(db, { machineId }, 'lost')
