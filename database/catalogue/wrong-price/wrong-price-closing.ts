import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { priceKeyColumns } from '../../facts/price-key.ts'
import { insertColumns } from '../../frame/bulk-insert.ts'
import type { TenantDb } from '../../frame/tenant.ts'
import { openWrongPrices } from './wrong-price.ts'

/** An open wrong price with the loss that a user saw. */
export interface LossToClose {
  machineId: string
  selection: string
  priceTable: number
  sales: number
  lost: number
}

export interface Closing {
  at: Date
  user: { id: string; name: string }
  note: string | null
}

const keyOf = (machineId: string, priceTable: number, selection: string) => `${machineId} ${priceTable} ${selection}`

/**
 * Closes open wrong prices of machines whose journals the caller has locked, and keeps them as closed losses. One whose loss differs from
 * what the user saw stays open. Returns the closed ones.
 */
export async function closeWrongPrices(db: TenantDb, losses: readonly LossToClose[], { at, user, note }: Closing) {
  const lossByKey = new Map(losses.map((loss) => [keyOf(loss.machineId, loss.priceTable, loss.selection), loss]))
  const machineIds = [...new Set(losses.map(({ machineId }) => machineId))]
  const { rows } = await openWrongPrices(db, sql`price.machine_id = any(${machineIds}::uuid[])`).execute(db.query)
  const closed = rows.flatMap((row) => {
    const loss = lossByKey.get(keyOf(row.machine_id, row.price_table, row.selection))
    if (!loss || loss.sales !== row.sales || loss.lost !== row.lost) return []
    return { ...row, merchantId: row.merchant_id, machineId: row.machine_id, priceTable: row.price_table }
  })
  if (closed.length === 0) return []
  await insertColumns(db.query, {
    table: 'price_losses',
    columns: [
      ...priceKeyColumns(closed),
      { name: 'id', type: 'uuid', values: closed.map(() => randomUUIDv7()) },
      { name: 'wanted', type: 'bigint', values: closed.map(({ wanted }) => wanted) },
      { name: 'actual', type: 'bigint', values: closed.map(({ actual }) => actual) },
      { name: 'fault', type: 'text', values: closed.map(({ fault }) => fault) },
      { name: 'since', type: 'timestamptz', values: closed.map(({ since }) => since.toISOString()) },
      { name: 'sales', type: 'int', values: closed.map(({ sales }) => sales) },
      { name: 'lost', type: 'bigint', values: closed.map(({ lost }) => lost) },
      { name: 'closed_at', type: 'timestamptz', value: at.toISOString() },
      { name: 'closed_by', type: 'uuid', value: user.id },
      { name: 'closed_by_name', type: 'text', value: user.name },
      { name: 'note', type: 'text', values: closed.map(() => note) },
    ],
  })
  await sql`update machine_prices price set wrong_since = null, wrong_sales = 0, lost = 0,
      wrong_closed_at = case when price.is_wrong then ${at}::timestamptz end
    from unnest(${closed.map(({ merchantId }) => merchantId)}::uuid[], ${closed.map(({ machineId }) => machineId)}::uuid[],
      ${closed.map(({ selection }) => selection)}::text[], ${closed.map(({ priceTable }) => priceTable)}::smallint[])
      as closed (merchant_id, machine_id, selection, price_table)
    where ${db.own('price')} and price.merchant_id = closed.merchant_id and price.machine_id = closed.machine_id
      and price.selection = closed.selection and price.price_table = closed.price_table`.execute(db.query)
  return closed
}
