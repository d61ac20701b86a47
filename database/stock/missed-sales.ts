import { sql } from 'kysely'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import { isAfter, type Position, soldFrom, vendTypes } from '#domain/stock/movement.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type BookEntry, type BookedRow, keyOf, type SelectionKey } from './books.ts'

/** Which selections a machine has, for `soldFrom`. */
export const selectionsOf = (rows: readonly Pick<BookedRow, 'selection' | 'stockType'>[]) => {
  const bySelection = new Map(rows.map((row) => [row.selection, row]))
  return {
    has: (selection: string) => bySelection.has(selection),
    isCold: (selection: string) => bySelection.get(selection)?.stockType === stockTypes.coldByPriceLine,
    hotTotals: rows.filter(({ stockType }) => stockType === stockTypes.hotTotal).map(({ selection }) => selection),
  }
}

interface Sold extends Position {
  merchantId: string
  machineId: string
  id: string
  priceLine: number | null
}

const dayMs = 86_400_000

/**
 * The stored sales of selections that are not booked, each from a place on, as entries: for books that are opened, and for selections that a
 * report names for the first time. `rows` are all selections of the machines.
 */
export async function missedSales(
  db: TenantDb,
  rows: readonly BookedRow[],
  places: readonly (SelectionKey & { after: Position })[],
): Promise<BookEntry[]> {
  if (places.length === 0) return []
  // A number may be later although its clock was earlier, by the tolerance of clocks.
  const froms = [...Map.groupBy(places, ({ machineId }) => machineId)].map(([machineId, machinePlaces]) => {
    const { merchantId } = machinePlaces[0] as SelectionKey
    return { merchantId, machineId, from: new Date(Math.min(...machinePlaces.map(({ after }) => after.at)) - dayMs) }
  })
  const from = new Date(Math.min(...froms.map((one) => one.from.getTime())))
  const periods = sql`unnest(${froms.map(({ merchantId }) => merchantId)}::uuid[], ${froms.map(({ machineId }) => machineId)}::uuid[],
    ${froms.map((one) => one.from)}::timestamptz[]) as wanted (merchant_id, machine_id, since)`
  const { rows: sales } = await sql<Omit<Sold, 'at'> & { at: Date }>`
    select sale.merchant_id as "merchantId", sale.machine_id as "machineId", sale.id, sale.created_at as at, sale.epoch, sale.seq,
      sale.price_line as "priceLine"
    from ${periods} join transactions sale on sale.merchant_id = wanted.merchant_id and sale.machine_id = wanted.machine_id
      and sale.created_at >= wanted.since
    where ${db.own('sale')} and sale.created_at >= ${from} and sale.type = any(${vendTypes}::smallint[]) and not sale.error_sale
    order by sale.created_at, sale.id`.execute(db.query)
  if (sales.length === 0) return []
  const { rows: missed } = await sql<{ id: string; selection: string }>`
    select booked.id, booked.selection
    from ${periods} join stock_entries booked on booked.merchant_id = wanted.merchant_id
      and booked.machine_id = wanted.machine_id and booked.at >= wanted.since
    where ${db.own('booked')} and booked.at >= ${from} and booked.kind = 'sale'`.execute(db.query)
  const booked = new Set(missed.map(({ id, selection }) => `${id} ${selection}`))
  const after = new Map(places.map((place) => [keyOf(place), place.after]))
  const machines = new Map(
    [...Map.groupBy(rows, ({ machineId }) => machineId)].map(([machineId, machineRows]) => [
      machineId,
      selectionsOf(machineRows),
    ]),
  )
  return sales.flatMap(({ id, at, priceLine, merchantId, machineId, epoch, seq }) => {
    const has = machines.get(machineId)
    if (!has) return []
    const place = { at: at.getTime(), epoch, seq }
    return soldFrom(priceLine, has).flatMap((selection): BookEntry[] => {
      const since = after.get(keyOf({ machineId, selection }))
      if (!since || !isAfter(place, since) || booked.has(`${id} ${selection}`)) return []
      return [{ merchantId, machineId, selection, id, item: { ...place, kind: 'sale', amount: -1 } }]
    })
  })
}
