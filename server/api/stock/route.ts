import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { ListedRouteStop, NewRoute, Route, RouteRow, type routes } from '#contract/stock/route.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { among } from '#database/frame/conditions.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { assignableUsers } from '#database/people/assignable-user.ts'
import { findRoute, type RouteRecord, routeList, writeRouteStops } from '#database/stock/route.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'

/** What is stored of a route: also the name of its driver, because users are in local tables. */
const StoredRoute = NewRoute.extend({ assigneeName: RouteRow.shape.assigneeName })
type StoredRoute = z.output<typeof StoredRoute>

const presentRoute = (route: RouteRecord): Route =>
  wireOf(Route, route, {
    stopList: route.stop_list.map((stop) =>
      wireOf(ListedRouteStop, stop, {
        posId: stop.machine_id,
        posName: stop.name,
        posSerial: stop.serial,
        isDeleted: stop.deleted_at !== null,
      }),
    ),
  })

export const routeRecord = editable({
  noun: 'route',
  rows: { ...routeList, find: findRoute },
  fields: StoredRoute,
  stored: (route: StoredRoute) => route,
  storedApart: { stops: writeRouteStops },
  present: presentRoute,
  presentRow: (row: Awaited<ReturnType<typeof routeList.list>>['rows'][number]) => wireOf(RouteRow, row),
  duplicates: { routes_by_name: ['RouteNameTaken', 'name'] },
})

/** Refuses machines out of reach, and those of another merchant. */
export async function refuseStrangers(db: TenantDb, merchantId: string, posIds: readonly string[]) {
  if (posIds.length === 0) return
  const found = await db
    .from('machines')
    .where('machines.merchant_id', '=', merchantId)
    .where(among('machines.id', posIds, 'uuid'))
    .select('machines.id')
    .execute()
  if (found.length < posIds.length) throw new ProductError('MachineNotFound')
}

/** The name of the user who drives a route. Users of other merchants answer as if they did not exist. */
async function nameOfDriver({ doors }: TenantCall, merchantId: string, id: string | null) {
  if (id === null) return null
  const [user] = await assignableUsers(doors, [merchantId], [id])
  if (!user) throw new ProductError('UserNotFound')
  return user.name
}

/** Routes: templates of rounds. */
export const routeHandlers: Handlers<typeof routes> = {
  ...routeRecord.handlers,

  createRoute: async (call) => {
    const { db, body, params } = call
    if (params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    const assigneeName = await nameOfDriver(call, params.merchantId, body.assigneeId)
    await refuseStrangers(
      db,
      params.merchantId,
      body.stops.map(({ posId }) => posId),
    )
    return routeRecord.create(call, params.merchantId, { ...body, assigneeName })
  },

  updateRoute: async (call) => {
    const { db, body, params } = call
    const { merchant_id: merchantId } = await routeRecord.of(db, params.routeId)
    const assigneeName = await nameOfDriver(call, merchantId, body.assigneeId)
    await refuseStrangers(
      db,
      merchantId,
      body.stops.map(({ posId }) => posId),
    )
    return routeRecord.update(call, params.routeId, { ...body, assigneeName })
  },
}
