import { sql } from 'kysely'
import type { RouteStop } from '#contract/stock/route.ts'
import { sharedDays } from '#domain/stock/route.ts'
import { among, anyOf } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

export const routeList = recordList({
  list: 'routes',
  table: 'routes',
  sums: { of: ['stopCount'] },
  where: (_, { assigneeIds }) => [anyOf('routes.assignee_id', assigneeIds, 'uuid')],
  beside: {
    stop_count: (db: TenantDb) => sql<number>`(select count(*)::int from route_stops stop
      join machines machine on ${db.own('machine')} and machine.merchant_id = stop.merchant_id and machine.id = stop.machine_id
      where ${db.narrow('route_stops', 'stop')} and stop.merchant_id = routes.merchant_id and stop.route_id = routes.id
        and machine.deleted_at is null)`,
  },
})

/** The machines of a route that the scope sees, in driving order, with the deleted ones. */
async function stopsOfRoute(db: TenantDb, { merchant_id, id }: RecordKey) {
  return db
    .from('route_stops')
    .where('route_stops.merchant_id', '=', merchant_id)
    .where('route_stops.route_id', '=', id)
    .innerJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'route_stops.merchant_id')
        .onRef('machines.id', '=', 'route_stops.machine_id'),
    )
    .selectAll('route_stops')
    .select(['machines.name', 'machines.serial', 'machines.address', 'machines.latitude', 'machines.longitude'])
    .select('machines.deleted_at')
    .orderBy('route_stops.position')
    .orderBy('route_stops.machine_id')
    .execute()
}

/** The other routes of some machines, with their days. */
async function otherRoutes(db: TenantDb, { merchant_id, id }: RecordKey, machineIds: readonly string[]) {
  if (machineIds.length === 0) return []
  return db
    .from('route_stops')
    .where('route_stops.merchant_id', '=', merchant_id)
    .where('route_stops.route_id', '<>', id)
    .where(among('route_stops.machine_id', machineIds, 'uuid'))
    .innerJoin('routes', (join) =>
      join.onRef('routes.merchant_id', '=', 'route_stops.merchant_id').onRef('routes.id', '=', 'route_stops.route_id'),
    )
    .select(['route_stops.machine_id', 'route_stops.days', 'routes.id', 'routes.name', 'routes.days as route_days'])
    .orderBy('routes.name')
    .orderBy('routes.id')
    .execute()
}

/** One route with its machines; undefined outside the scope. `stops`: its existing machines, as they are written. */
export async function findRoute(db: TenantDb, id: string) {
  const row = await routeList.find(db, id)
  if (!row) return undefined
  const stops = await stopsOfRoute(db, row)
  const machineIds = stops.map(({ machine_id }) => machine_id)
  const others = Map.groupBy(await otherRoutes(db, row, machineIds), ({ machine_id }) => machine_id)
  const stop_list = stops.map((stop) => ({
    ...stop,
    also_on: (others.get(stop.machine_id) ?? []).flatMap((other) => {
      const days = sharedDays({ route: row.days, stop: stop.days }, { route: other.route_days, stop: other.days })
      return days.length > 0 ? [{ id: other.id, name: other.name, days }] : []
    }),
  }))
  return {
    ...row,
    stop_list,
    stops: stops
      .filter(({ deleted_at }) => deleted_at === null)
      .map(
        ({ machine_id, days, opens_at, closes_at }): RouteStop => ({
          posId: machine_id,
          days,
          opensAt: opens_at,
          closesAt: closes_at,
        }),
      ),
  }
}
export type RouteRecord = NonNullable<Awaited<ReturnType<typeof findRoute>>>

/** Replaces the machines of a route. Deleted machines and those outside the scope stay, after the others. */
export async function writeRouteStops(db: TenantDb, route: RecordKey, stops: readonly RouteStop[]): Promise<void> {
  const replaced = (await stopsOfRoute(db, route)).filter(({ deleted_at }) => deleted_at === null)
  if (replaced.length > 0)
    await db.query
      .deleteFrom('route_stops')
      .where(db.narrow('route_stops'))
      .where('route_stops.merchant_id', '=', route.merchant_id)
      .where('route_stops.route_id', '=', route.id)
      .where(
        among(
          'route_stops.machine_id',
          replaced.map(({ machine_id }) => machine_id),
          'uuid',
        ),
      )
      .execute()
  const { rows } = await sql<{ last: number }>`select coalesce(max(stop.position), 0)::int as last from route_stops stop
    where ${db.own('stop')} and stop.merchant_id = ${route.merchant_id} and stop.route_id = ${route.id}`.execute(
    db.query,
  )
  const kept = rows[0]?.last ?? 0
  if (kept > 0)
    await sql`update route_stops stop set position = stop.position + ${stops.length}::int
      where ${db.own('stop')} and stop.merchant_id = ${route.merchant_id} and stop.route_id = ${route.id}`.execute(
      db.query,
    )
  if (stops.length === 0) return
  await db.query
    .insertInto('route_stops')
    .values(
      stops.map(({ posId, days, opensAt, closesAt }, at) => ({
        merchant_id: route.merchant_id,
        route_id: route.id,
        machine_id: posId,
        position: at + 1,
        days,
        opens_at: opensAt,
        closes_at: closesAt,
      })),
    )
    .execute()
}
