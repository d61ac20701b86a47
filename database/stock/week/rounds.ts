import { sql } from 'kysely'
import type { RoundStatus } from '#contract/stock/round-status.ts'
import type { Period } from '#domain/time/period.ts'
import type { TenantDb } from '../../frame/tenant.ts'

export interface WeekRoute {
  id: string
  name: string
  days: number[]
  assigneeId: string | null
  assigneeName: string | null
  start: { latitude: number; longitude: number } | null
}

/** The routes of a merchant by name. */
export async function weekRoutes(db: TenantDb): Promise<WeekRoute[]> {
  const { rows } = await sql<WeekRoute>`
    select route.id, route.name, route.days, route.assignee_id as "assigneeId", route.assignee_name as "assigneeName", route.start
    from routes route where ${db.narrow('routes', 'route')} order by lower(route.name), route.id`.execute(db.query)
  return rows
}

/** A machine of a route. */
export interface WeekService {
  routeId: string
  machineId: string
  position: number
  days: number[]
  opensAt: string | null
  closesAt: string | null
}

/** The machines of all routes that the scope sees. */
export async function weekServices(db: TenantDb): Promise<WeekService[]> {
  const { rows } = await sql<WeekService>`
    select stop.route_id as "routeId", stop.machine_id as "machineId", stop.position, stop.days, stop.opens_at as "opensAt",
      stop.closes_at as "closesAt"
    from route_stops stop where ${db.narrow('route_stops', 'stop')}
    order by stop.route_id, stop.position, stop.machine_id`.execute(db.query)
  return rows
}

export interface RoundOfWeek {
  id: string
  name: string
  day: string
  routeId: string | null
  status: RoundStatus
  assigneeName: string | null
  /** The machines of its stops, and of its open stops. */
  machineIds: string[]
  openIds: string[]
}

/** The rounds of some days that are not cancelled, with the stops that the scope sees. */
export async function roundsOfWeek(db: TenantDb, { startDate, endDate }: Period): Promise<RoundOfWeek[]> {
  const { rows } = await sql<RoundOfWeek>`
    select round.id, round.name, round.day::text, round.route_id as "routeId", round.status, round.assignee_name as "assigneeName",
      coalesce(array_agg(stop.machine_id) filter (where stop.id is not null), '{}') as "machineIds",
      coalesce(array_agg(stop.machine_id) filter (where stop.status = 'open' and round.status in ('planned', 'underway')), '{}') as "openIds"
    from rounds round
    left join round_stops stop on ${db.narrow('round_stops', 'stop')} and stop.merchant_id = round.merchant_id and stop.round_id = round.id
    where ${db.narrow('rounds', 'round')} and round.day >= ${startDate}::date and round.day <= ${endDate}::date
      and round.status <> 'cancelled'
    group by round.merchant_id, round.id
    order by round.day, lower(round.name), round.id`.execute(db.query)
  return rows
}

/** Locks routes, so that no other call creates rounds of them. In one order. */
export async function holdRoutes(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<WeekRoute[]> {
  const { rows } = await sql<WeekRoute>`
    select route.id, route.name, route.days, route.assignee_id as "assigneeId", route.assignee_name as "assigneeName", route.start
    from routes route where ${db.narrow('routes', 'route')} and route.merchant_id = ${merchantId} and route.id = any(${ids}::uuid[])
    order by route.id for no key update of route`.execute(db.query)
  return rows
}

/** The rounds of routes on some days that are not cancelled. */
export async function roundsOfRoutes(db: TenantDb, merchantId: string, days: readonly string[]) {
  const { rows } = await sql<{ id: string; routeId: string; day: string }>`
    select round.id, round.route_id as "routeId", round.day::text from rounds round
    where ${db.narrow('rounds', 'round')} and round.merchant_id = ${merchantId} and round.day = any(${days}::date[])
      and round.route_id is not null and round.status <> 'cancelled'
    order by round.created_at, round.id`.execute(db.query)
  return rows
}
