import { sql } from 'kysely'
import type { LoadConflict, LoadEdit } from '#contract/stock/round.ts'
import { piecesThatFit, piecesToLoad } from '#domain/stock/round.ts'
import { type DayMoment, soldUntil } from '#domain/stock/supply.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { among } from '../frame/conditions.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { fillsOf } from './fill.ts'

const columns = ['merchant_id', 'stop_id', 'machine_id', 'selection', 'product_id', 'product', 'capacity', 'quantity']
const again = `on conflict (merchant_id, stop_id, selection) do update set product_id = excluded.product_id,
  product = excluded.product, capacity = excluded.capacity, quantity = excluded.quantity`

/** From now to the visit. */
interface UntilVisit {
  from: DayMoment
  daysAhead: number
}
interface StopOfMachine {
  id: string
  machineId: string
}

/** The selections of some stops' machines, with the pieces that are expected to be sold until the visit. */
async function fillsAt(db: TenantDb, stops: readonly StopOfMachine[], { from, daysAhead }: UntilVisit) {
  const machineIds = stops.map(({ machineId }) => machineId)
  const fills = await fillsOf(db, machineIds)
  return Map.groupBy(
    fills.map((fill) => ({ ...fill, soldUntil: soldUntil(fill.outlook, from, daysAhead) })),
    ({ machineId }) => machineId,
  )
}

const loadKey = (stopId: string, selection: string) => `${stopId} ${selection}`

/** How many pieces fit at the visit, by `loadKey`; null: the capacity is unknown. */
export async function fittingPieces(db: TenantDb, stops: readonly StopOfMachine[], until: UntilVisit) {
  const fills = await fillsAt(db, stops, until)
  const fitting = new Map(
    stops.flatMap(({ id, machineId }) =>
      (fills.get(machineId) ?? []).map((fill) => [loadKey(id, fill.selection), piecesThatFit(fill)] as const),
    ),
  )
  return (stopId: string, selection: string) => fitting.get(loadKey(stopId, selection)) ?? null
}

/** Computes what to load at some stops of a locked round. What users changed stays, as far as it fits. */
export async function computeLoads(
  db: TenantDb,
  merchantId: string,
  stops: readonly StopOfMachine[],
  until: UntilVisit,
): Promise<void> {
  const fills = await fillsAt(db, stops, until)
  const stopIds = stops.map(({ id }) => id)
  const edited = await db
    .from('round_loads')
    .where('round_loads.merchant_id', '=', merchantId)
    .where(among('round_loads.stop_id', stopIds, 'uuid'))
    .where('round_loads.edited', '=', true)
    .select(['stop_id', 'selection', 'quantity'])
    .execute()
  const byUsers = new Map(edited.map((load) => [loadKey(load.stop_id, load.selection), load.quantity]))
  const rows = stops.flatMap(({ id, machineId }) =>
    (fills.get(machineId) ?? []).map((fill) => {
      const byUser = byUsers.get(loadKey(id, fill.selection))
      const quantity = byUser === undefined ? piecesToLoad(fill) : Math.min(byUser, piecesThatFit(fill) ?? byUser)
      return [merchantId, id, machineId, fill.selection, fill.productId, fill.product, fill.capacity, quantity]
    }),
  )
  rows.sort((one, other) => (`${one[1]} ${one[3]}` < `${other[1]} ${other[3]}` ? -1 : 1))
  if (rows.length > 0) await insertRows(db.query, 'round_loads', columns, rows, again)
}

/** The loads of a round that the scope sees, with products, in driving order. */
export async function loadsOfRound(db: TenantDb, { merchant_id, id }: RecordKey) {
  return db
    .from('round_loads')
    .innerJoin('round_stops as stop', (join) =>
      join.onRef('stop.merchant_id', '=', 'round_loads.merchant_id').onRef('stop.id', '=', 'round_loads.stop_id'),
    )
    .innerJoin('machines', (join) =>
      join.onRef('machines.merchant_id', '=', 'stop.merchant_id').onRef('machines.id', '=', 'stop.machine_id'),
    )
    .leftJoin('products', (join) =>
      join
        .onRef('products.merchant_id', '=', 'round_loads.merchant_id')
        .onRef('products.id', '=', 'round_loads.product_id'),
    )
    .where('stop.merchant_id', '=', merchant_id)
    .where('stop.round_id', '=', id)
    .selectAll('round_loads')
    .select([
      'stop.round_id',
      'stop.position',
      'stop.status as stop_status',
      'machines.name as pos_name',
      'products.name as product_name',
      'products.code as product_code',
    ])
    .orderBy('stop.position')
    .execute()
}
export type LoadRecord = Awaited<ReturnType<typeof loadsOfRound>>[number]

/** Changes quantities. A quantity that another user changed meanwhile is a conflict. The round is locked. */
export async function editLoads(
  db: TenantDb,
  round: RecordKey,
  edits: readonly LoadEdit[],
): Promise<{ saved: number; conflicts: LoadConflict[] }> {
  const { rows } = await sql<{
    stopId: string
    selection: string
    before: number
    current: number | null
    saved: boolean
  }>`
    with wanted as (
      select * from unnest(${edits.map(({ stopId }) => stopId)}::uuid[], ${edits.map(({ selection }) => selection)}::text[],
        ${edits.map(({ before }) => before)}::int[], ${edits.map(({ quantity }) => quantity)}::int[])
        as wanted (stop_id, selection, before, quantity)
    ), saved as (
      update round_loads load set quantity = wanted.quantity, edited = true
      from wanted join round_stops stop on ${db.own('stop')} and stop.id = wanted.stop_id
        and stop.merchant_id = ${round.merchant_id} and stop.round_id = ${round.id}
      where ${db.own('load')} and load.merchant_id = stop.merchant_id and load.stop_id = stop.id
        and load.selection = wanted.selection and load.quantity in (wanted.before, wanted.quantity)
      returning load.stop_id, load.selection
    )
    select wanted.stop_id as "stopId", wanted.selection, wanted.before, load.quantity as current,
      saved.stop_id is not null as saved
    from wanted left join saved using (stop_id, selection)
    left join round_loads load on ${db.own('load')} and load.merchant_id = ${round.merchant_id}
      and load.stop_id = wanted.stop_id and load.selection = wanted.selection`.execute(db.query)
  const conflicts = rows
    .filter(({ saved }) => !saved)
    .map(({ stopId, selection, current }) => ({ stopId, selection, current }))
  return { saved: rows.length - conflicts.length, conflicts }
}
