import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { PriceSource } from '#contract/vocabulary/catalogue/price.ts'
import { paidTypes } from '#domain/catalogue/wrong-price.ts'
import { type Insertion, insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A change of a price at a machine, in minor units; null: none. */
export interface PriceStep {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
  before: number | null
  after: number | null
}

/** Time, reason and user of price changes; at the machine itself there is no user. */
export interface PriceCause {
  at: Date
  source: PriceSource
  user: { id: string; name: string } | null
}

const keyColumns = (steps: readonly Omit<PriceStep, 'before' | 'after'>[]) =>
  [
    { name: 'merchant_id', type: 'uuid', values: steps.map(({ merchantId }) => merchantId) },
    { name: 'machine_id', type: 'uuid', values: steps.map(({ machineId }) => machineId) },
    { name: 'selection', type: 'text', values: steps.map(({ selection }) => selection) },
    { name: 'price_table', type: 'smallint', values: steps.map(({ priceTable }) => priceTable) },
  ] as const
export const priceKeyColumns = keyColumns

/** History rows of changes, each with its own cause. */
export const historyRows = (steps: readonly (PriceStep & PriceCause)[]): Insertion => ({
  table: 'price_changes',
  columns: [
    ...keyColumns(steps),
    { name: 'id', type: 'uuid', values: steps.map(() => randomUUIDv7()) },
    { name: 'at', type: 'timestamptz', values: steps.map(({ at }) => at.toISOString()) },
    { name: 'source', type: 'text', values: steps.map(({ source }) => source) },
    { name: 'before', type: 'bigint', values: steps.map(({ before }) => before) },
    { name: 'after', type: 'bigint', values: steps.map(({ after }) => after) },
    { name: 'changed_by', type: 'uuid', values: steps.map(({ user }) => user?.id) },
    { name: 'changed_by_name', type: 'text', values: steps.map(({ user }) => user?.name) },
  ],
})

/** A row that no machine has reported: any report is newer. */
export const unreported = [
  { name: 'gone', type: 'boolean', value: false },
  { name: 'epoch', type: 'int', value: 0 },
  { name: 'seq', type: 'bigint', value: 0 },
] as const

/** The generated column `is_wrong` of a row that is about to get this wish. */
const willBeWrong = (wanted: string, wantedAt: string) => {
  const since = `greatest(price.at, ${wantedAt})`
  const isRight = (sight: 'audited' | 'charged', after: string) =>
    `coalesce(price.${sight} = ${wanted} and price.${sight}_at > ${after}, false)`
  const isOff = (sight: 'audited' | 'charged') =>
    `coalesce(price.${sight} <> ${wanted} and price.${sight}_at >= ${since}, false)`
  return `(not price.gone and (coalesce(price.price <> ${wanted}, false) and not ${isRight('audited', since)}
      and not ${isRight('charged', since)}
    or ${isOff('audited')} and not ${isRight('charged', 'price.audited_at')}
    or ${isOff('charged')} and not ${isRight('audited', 'price.charged_at')}))`
}

/**
 * Stores wanted prices and their history, and restarts the sums of wrong prices. The caller has locked the machines' journals, so that no
 * report or sale arrives in between.
 */
export async function writeWanted(db: TenantDb, steps: readonly PriceStep[], cause: PriceCause): Promise<void> {
  if (steps.length === 0) return
  const at = cause.at.toISOString()
  const wishes: Insertion = {
    table: 'machine_prices',
    alias: 'price',
    columns: [
      ...keyColumns(steps),
      ...unreported,
      { name: 'wanted', type: 'bigint', values: steps.map(({ after }) => after) },
      { name: 'wanted_at', type: 'timestamptz', values: steps.map(({ after }) => (after === null ? null : at)) },
    ],
    tail: `on conflict (merchant_id, machine_id, selection, price_table) do update set
      wanted = excluded.wanted, wanted_at = excluded.wanted_at, wrong_sales = 0, lost = 0,
      wrong_since = case when ${willBeWrong('excluded.wanted', 'excluded.wanted_at')} then excluded.wanted_at end`,
  }
  await insertColumns(db.query, wishes, historyRows(steps.map((step) => ({ ...step, ...cause }))))
  await countNewerSales(db, [...new Set(steps.map(({ machineId }) => machineId))], cause.at)
}

/** Counts sales at wrong prices that are newer than the edit: they arrived while the edit waited for the machine. */
async function countNewerSales(db: TenantDb, machineIds: readonly string[], at: Date): Promise<void> {
  const newer = await db
    .from('transactions')
    .where(sql<boolean>`transactions.machine_id = any(${machineIds}::uuid[])`)
    .where('transactions.created_at', '>=', at)
    .select('transactions.machine_id')
    .distinct()
    .execute()
  if (newer.length === 0) return
  await sql`update machine_prices price set (wrong_sales, lost) = (
      select count(*), coalesce(sum(price.wanted - sale.value), 0) from transactions sale
      where ${db.own('sale')} and sale.merchant_id = price.merchant_id and sale.machine_id = price.machine_id
        and sale.created_at >= price.wrong_since and sale.price_line::text = price.selection
        and sale.price_table = price.price_table and sale.value <> price.wanted
        and sale.type = any(${paidTypes}::smallint[]) and not sale.free_sale and not sale.error_sale)
    where ${db.narrow('machine_prices', 'price')} and price.machine_id = any(${newer.map((row) => row.machine_id)}::uuid[])
      and price.wrong_since = ${at}`.execute(db.query)
}

/** Rows for prices that are only planned, so that lists show them. */
export const placeholderRows = (steps: readonly Omit<PriceStep, 'before' | 'after'>[]): Insertion => ({
  table: 'machine_prices',
  columns: [...keyColumns(steps), ...unreported],
  tail: 'on conflict (merchant_id, machine_id, selection, price_table) do nothing',
})
