import { randomUUIDv7 } from 'node:crypto'
import type { PriceSource } from '#contract/vocabulary/catalogue/price.ts'
import { type PriceKey, priceKeyColumns } from '../facts/price-key.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import { type Insertion, insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A change of a price at a machine, in minor units; null: none. */
export interface PriceStep extends PriceKey {
  before: number | null
  after: number | null
}

/** Time, reason and user of price changes; at the machine itself there is no user. */
export interface PriceCause {
  at: Date
  source: PriceSource
  user: { id: string; name: string } | null
}

/** History rows of changes, each with its own cause. */
export const historyRows = (steps: readonly (PriceStep & PriceCause)[]): Insertion => ({
  table: 'price_changes',
  columns: [
    ...priceKeyColumns(steps),
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
const willBeWrong = (price: string, wantedAt: string) => {
  const since = `greatest(price.at, ${wantedAt})`
  const isRight = (reading: 'audited' | 'charged', after: string) =>
    `coalesce(price.${reading} = ${price} and price.${reading}_at > ${after}, false)`
  const isOff = (reading: 'audited' | 'charged') =>
    `coalesce(price.${reading} <> ${price} and price.${reading}_at >= ${since}, false)`
  return `(not price.gone and (coalesce(price.price <> ${price}, false) and not ${isRight('audited', since)}
      and not ${isRight('charged', since)}
    or ${isOff('audited')} and not ${isRight('charged', 'price.audited_at')}
    or ${isOff('charged')} and not ${isRight('audited', 'price.charged_at')}))`
}

/**
 * Stores wanted prices and their history. What wrong sales have cost stays open; later sales are compared with the new price. The caller has
 * locked the machines' journals, so that no report or sale arrives in between.
 */
export async function writeWanted(db: TenantDb, steps: readonly PriceStep[], cause: PriceCause): Promise<void> {
  if (steps.length === 0) return
  const at = cause.at.toISOString()
  const wishes: Insertion = {
    table: 'machine_prices',
    alias: 'price',
    columns: [
      ...priceKeyColumns(steps),
      ...unreported,
      { name: 'wanted', type: 'bigint', values: steps.map(({ after }) => after) },
      { name: 'wanted_at', type: 'timestamptz', values: steps.map(({ after }) => (after === null ? null : at)) },
    ],
    tail: `on conflict (merchant_id, machine_id, selection, price_table) do update set
      wanted = excluded.wanted, wanted_at = excluded.wanted_at, wrong_closed_at = null,
      wrong_since = case when price.wrong_sales > 0 then price.wrong_since
        when ${willBeWrong('excluded.wanted', 'excluded.wanted_at')} then excluded.wanted_at end`,
  }
  const changes = steps.map((step) => ({ ...step, ...cause }))
  await insertColumns(db.query, wishes, historyRows(changes))
  await notePrices(db, changes)
}

/** Notes changes of prices, in the transaction that writes their history. */
export const notePrices = (db: TenantDb, steps: readonly (PriceStep & PriceCause)[]): Promise<void> =>
  noteFacts(
    db,
    steps.map(({ merchantId }) => merchantId),
    ['price.changed'],
    () =>
      steps.map(({ merchantId, machineId: posId, selection, priceTable, before, after, source, at }) => ({
        event: 'price.changed',
        merchantId,
        data: { posId, selection, priceTable, before, after, source, at: at.toISOString() },
      })),
  )

/** Rows for prices that are only planned, so that lists show them. */
export const placeholderRows = (steps: readonly Omit<PriceStep, 'before' | 'after'>[]): Insertion => ({
  table: 'machine_prices',
  columns: [...priceKeyColumns(steps), ...unreported],
  tail: 'on conflict (merchant_id, machine_id, selection, price_table) do nothing',
})
