import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { VisitReason } from '#contract/stock/round.ts'
import type { AnySkipReason } from '#contract/stock/round-status.ts'
import { among, when } from '../frame/conditions.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** What was known of a machine when its stop was planned. */
export interface StopFacts {
  reasons: VisitReason[]
  lostSales: number
  cashInBox: number | null
}

/** All stops of a round, in any group, locked in one order: ingest and visits close several stops at once. */
async function holdStops(db: TenantDb, { merchant_id, id }: RecordKey) {
  const { rows } = await sql<{ id: string; machine_id: string; status: string; position: number; seen: boolean }>`
    select stop.id, stop.machine_id, stop.status, stop.position,
      stop.machine_id in (select m.id from machines m where ${db.narrow('machines', 'm')}) as seen
    from round_stops stop where ${db.own('stop')} and stop.merchant_id = ${merchant_id} and stop.round_id = ${id}
    order by stop.id for no key update of stop`.execute(db.query)
  return rows
}

/**
 * Replaces the machines of a round. Stops that are done, those of machines outside the scope, and those of deleted machines stay; stops
 * that stay keep their loads. Returns the stops that are new.
 */
export async function writeStops(
  db: TenantDb,
  round: RecordKey,
  machineIds: readonly string[],
  factsOf: ReadonlyMap<string, StopFacts>,
): Promise<{ id: string; machineId: string }[]> {
  const held = await holdStops(db, round)
  const machineSet = new Set(machineIds)
  const dropped = held.filter((stop) => stop.seen && stop.status !== 'done' && !machineSet.has(stop.machine_id))
  const remaining = held.filter((stop) => !dropped.includes(stop))
  if (dropped.length > 0)
    await db.query
      .deleteFrom('round_stops')
      .where(db.narrow('round_stops'))
      .where(
        'id',
        'in',
        dropped.map(({ id }) => id),
      )
      .execute()
  const others = remaining.filter((stop) => !machineSet.has(stop.machine_id)).sort((a, b) => a.position - b.position)
  const order = [...machineIds, ...others.map(({ machine_id }) => machine_id)]
  const stopByMachine = new Map(remaining.map((stop) => [stop.machine_id, stop]))
  const moved = remaining.filter((stop) => order.indexOf(stop.machine_id) + 1 !== stop.position)
  if (moved.length > 0)
    await sql`update round_stops stop set position = moved.position
      from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map((stop) => order.indexOf(stop.machine_id) + 1)}::int[])
        as moved (id, position)
      where ${db.own('stop')} and stop.merchant_id = ${round.merchant_id} and stop.id = moved.id`.execute(db.query)
  const added = order
    .filter((machineId) => !stopByMachine.has(machineId))
    .map((machineId) => ({ id: randomUUIDv7(), machineId }))
  if (added.length > 0)
    await db.query
      .insertInto('round_stops')
      .values(
        added.map(({ id, machineId }) => {
          const facts = factsOf.get(machineId)
          return {
            merchant_id: round.merchant_id,
            id,
            round_id: round.id,
            machine_id: machineId,
            position: order.indexOf(machineId) + 1,
            reasons: JSON.stringify(facts?.reasons ?? []),
            lost_sales: facts?.lostSales ?? 0,
            cash_in_box: facts?.cashInBox ?? null,
          }
        }),
      )
      .execute()
  return added
}

/** A stop of a round in the scope, locked. */
export const holdStop = (db: TenantDb, { merchant_id, id }: RecordKey, stopId: string) =>
  db.query
    .selectFrom('round_stops')
    .where(db.narrow('round_stops'))
    .where('round_stops.merchant_id', '=', merchant_id)
    .where('round_stops.round_id', '=', id)
    .where('round_stops.id', '=', stopId)
    .selectAll('round_stops')
    .forNoKeyUpdate('round_stops')
    .executeTakeFirst()

interface By {
  id: string
  name: string
}

/** Skips open stops of a round: one, or all. */
export async function skipStops(
  db: TenantDb,
  round: RecordKey,
  { stopId, reason, note, by, at }: { stopId?: string; reason: AnySkipReason; note: string | null; by: By; at: Date },
) {
  await holdStops(db, round)
  await db.query
    .updateTable('round_stops')
    .set({
      status: 'skipped',
      skip_reason: reason,
      skip_note: note,
      closed_at: at,
      closed_by: 'user',
      closed_by_id: by.id,
      closed_by_name: by.name,
    })
    .where('merchant_id', '=', round.merchant_id)
    .where('round_id', '=', round.id)
    .where('status', '=', 'open')
    .where(when(stopId, (one) => sql<boolean>`id = ${one}`))
    .execute()
}

export const reopenStop = (db: TenantDb, { merchant_id, id }: RecordKey) =>
  db.query
    .updateTable('round_stops')
    .set({
      status: 'open',
      skip_reason: null,
      skip_note: null,
      closed_at: null,
      closed_by: null,
      closed_by_id: null,
      closed_by_name: null,
      visit_id: null,
    })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()

/** Open stops of machines of one merchant whose round is in one of these states, locked in one order. */
async function holdOpenStops(
  db: TenantDb,
  merchantId: string,
  machineIds: readonly string[],
  statuses: readonly string[],
) {
  const { rows } = await sql<{ id: string; machine_id: string; started_at: Date | null }>`
    select stop.id, stop.machine_id, round.started_at from round_stops stop
    join rounds round on ${db.own('round')} and round.merchant_id = stop.merchant_id and round.id = stop.round_id
    where stop.merchant_id = ${merchantId}::uuid and stop.machine_id = any(${machineIds}::uuid[]) and stop.status = 'open'
      and round.status = any(${statuses}::text[])
    order by stop.id for no key update of stop`.execute(db.query)
  return rows
}

/**
 * Closes the stops of machines that reported a refill or a collection themselves since their round started. The machines' journals are
 * locked. Returns the merchants concerned.
 */
export async function closeStopsByMachine(
  db: TenantDb,
  happened: readonly { merchantId: string; machineId: string; at: Date }[],
): Promise<string[]> {
  const changed: string[] = []
  for (const [merchantId, ofMerchant] of Map.groupBy(happened, (one) => one.merchantId)) {
    const latest = new Map<string, Date>()
    for (const { machineId, at } of ofMerchant.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
      latest.set(machineId, at)
    const open = await holdOpenStops(db, merchantId, [...latest.keys()], ['underway'])
    const closed = open.flatMap(({ id, machine_id, started_at }) => {
      const at = latest.get(machine_id)
      return at && started_at && at >= started_at ? [{ id, at }] : []
    })
    if (closed.length === 0) continue
    await sql`update round_stops set status = 'done', closed_by = 'machine', closed_at = closed.at
      from unnest(${closed.map(({ id }) => id)}::uuid[], ${closed.map(({ at }) => at)}::timestamptz[]) as closed (id, at)
      where round_stops.merchant_id = ${merchantId}::uuid and round_stops.id = closed.id`.execute(db.query)
    changed.push(merchantId)
  }
  return changed
}

/** Skips the open stops of a machine that is deleted, or moves to another merchant; whether it had any. Its journal is locked. */
export async function skipStopsOfMachine(
  db: TenantDb,
  merchantId: string,
  machineId: string,
  by: By & { at: Date },
): Promise<boolean> {
  const open = await holdOpenStops(db, merchantId, [machineId], ['planned', 'underway'])
  if (open.length === 0) return false
  await db.query
    .updateTable('round_stops')
    .set({
      status: 'skipped',
      skip_reason: 'machineRemoved',
      closed_by: 'user',
      closed_at: by.at,
      closed_by_id: by.id,
      closed_by_name: by.name,
    })
    .where('merchant_id', '=', merchantId)
    .where(
      among(
        'round_stops.id',
        open.map(({ id }) => id),
        'uuid',
      ),
    )
    .execute()
  return true
}

/** The open stop of a machine that a visit closes: of a round of this user first, then the earliest. Started, or planned until today. */
export async function stopForVisit(db: TenantDb, machineId: string, userId: string, today: string) {
  const { rows } = await sql<{ id: string; round_id: string }>`
    select stop.id, stop.round_id from round_stops stop
    join rounds round on ${db.own('round')} and round.merchant_id = stop.merchant_id and round.id = stop.round_id
    where ${db.narrow('round_stops', 'stop')} and stop.machine_id = ${machineId}::uuid and stop.status = 'open'
      and (round.status = 'underway' or round.status = 'planned' and round.day <= ${today}::date)
    order by round.assignee_id is distinct from ${userId}::uuid, round.status = 'planned', round.day, stop.id limit 1`.execute(
    db.query,
  )
  return rows[0]
}
