import { z } from 'zod'
import { TimeOfDay } from '../catalogue/no-vend-profile.ts'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { LineText, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { mostStops } from './round.ts'
import { StartPlace } from './stop-order.ts'

const isUnique = (all: readonly unknown[]) => new Set(all).size === all.length
/** ISO weekdays, 1 Monday to 7 Sunday. */
const Weekdays = z.array(z.int().min(1).max(7)).max(7).refine(isUnique, saying('unique'))

/** A machine of a route. */
export const RouteStop = z.strictObject({
  posId: ids.posId,
  /** The days on which it is served; without any, each day of the route. */
  days: Weekdays.default([]),
  /** When the site can be entered, by its clock; null: at any time. A closing before the opening is after midnight. */
  opensAt: TimeOfDay.nullable().default(null),
  closesAt: TimeOfDay.nullable().default(null),
})
export type RouteStop = z.output<typeof RouteStop>

/** A template of rounds as users create and edit it. `stops`: its machines in driving order. */
export const NewRoute = z.strictObject({
  /** Unique within its merchant, ignoring case. */
  name: LineText.trim().min(1).max(120),
  days: Weekdays.min(1),
  assigneeId: ids.userId.nullable().default(null),
  startAddress: LineText.trim().min(1).max(200).nullable().default(null),
  start: StartPlace.nullable().default(null),
  /** It ends where it began. */
  returns: z.boolean().default(false),
  note: Text.trim().min(1).max(2000).nullable().default(null),
  stops: z
    .array(RouteStop)
    .max(mostStops)
    .refine((stops) => isUnique(stops.map(({ posId }) => posId)), saying('unique'))
    .default([]),
})
export type NewRoute = z.output<typeof NewRoute>

/** A machine of a route with what is shown of it. Deleted machines are shown, and are on no round. */
export const ListedRouteStop = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  address: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  isDeleted: z.boolean(),
  days: z.array(z.int()),
  opensAt: z.string().nullable(),
  closesAt: z.string().nullable(),
  /** Other routes that serve it on some of the same days. */
  alsoOn: z.array(z.strictObject({ id: z.uuid(), name: z.string(), days: z.array(z.int()) })),
})
export type ListedRouteStop = z.infer<typeof ListedRouteStop>

export const Route = recordOf(NewRoute, {
  assigneeName: z.string().nullable(),
  /** Machines of the reader's groups that still exist. */
  stopCount: z.int(),
  stopList: z.array(ListedRouteStop),
})
export type Route = z.infer<typeof Route>

export const RouteRow = Route.omit({ stops: true, stopList: true })
export type RouteRow = z.infer<typeof RouteRow>

export const RouteFilters = z.strictObject({
  /** In name, technician, start address and note. */
  search: Search.optional(),
  /** Users who drive them. */
  assigneeIds: oneOrMany(z.uuid()),
})
export type RouteFilters = z.infer<typeof RouteFilters>

export const routeColumns = {
  name: { kind: 'text', heading: 'route:field.name' },
  merchant: { kind: 'text', heading: 'route:column.merchant' },
  days: { kind: 'text', heading: 'route:field.days', only: 'screen', sort: false },
  assigneeName: { kind: 'text', heading: 'route:field.assigneeId' },
  startAddress: { kind: 'text', heading: 'route:field.startAddress' },
  stopCount: { kind: 'number', heading: 'route:column.stops' },
  createdAt: { kind: 'instant', heading: 'route:column.created' },
  id: { kind: 'plain', heading: 'route:column.id' },
} as const satisfies ListColumns

export const routeOrds = ordsOf(routeColumns, 'name')

const many = '/merchants/{merchantId}/routes' as const
const one = '/merchants/{merchantId}/routes/{routeId}' as const
const base = { feature: 'productStock' } as const

export const routes = {
  listRoutes: endpoint({
    ...base,
    method: 'GET',
    path: many,
    summary: 'List routes',
    needs: 'route.read',
    topics: ['route', 'machine'],
    query: RouteFilters.extend(paged(routeOrds)),
    ok: pageOf(RouteRow).extend(withOptionalTotals),
  }),
  getRoute: endpoint({
    ...base,
    method: 'GET',
    path: one,
    summary: 'Get a route with its machines',
    needs: 'route.read',
    topics: ['route', 'machine'],
    ok: Route,
    fails: ['RouteNotFound'],
  }),
  createRoute: endpoint({
    ...base,
    method: 'POST',
    path: many,
    summary: 'Create a route',
    needs: 'route.write',
    body: NewRoute,
    ok: Route,
    status: 201,
    fails: ['MerchantNotSelected', 'RouteNameTaken', 'MachineNotFound', 'UserNotFound'],
  }),
  updateRoute: endpoint({
    ...base,
    method: 'PUT',
    path: one,
    summary: 'Update a route',
    needs: 'route.write',
    body: editOf(NewRoute),
    ok: Route,
    fails: ['RouteNotFound', 'RouteNameTaken', 'MachineNotFound', 'UserNotFound', 'EditConflict'],
  }),
  deleteRoute: endpoint({
    ...base,
    method: 'DELETE',
    path: one,
    summary: 'Delete a route; its rounds stay',
    needs: 'route.write',
    fails: ['RouteNotFound'],
  }),
}

/** The list as a file. */
export const exportedRoutes = {
  row: routes.listRoutes,
  filters: RouteFilters,
  ords: routeOrds,
  columns: routeColumns,
} as const satisfies ExportedList
