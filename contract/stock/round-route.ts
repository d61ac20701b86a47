import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Day } from '../frame/shapes.ts'
import { RoundStatus, StopStatus } from './round-status.ts'

/** A stop of a route that has a place; `number` counts the stops of its round that the reader sees, in driving order, from 1. */
export const RouteStop = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  number: z.int().min(1),
  status: StopStatus,
  latitude: z.number(),
  longitude: z.number(),
})
export type RouteStop = z.infer<typeof RouteStop>

/** A round as it is drawn on a map: its stops in driving order. */
export const RoundRoute = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  name: z.string(),
  assigneeName: z.string().nullable(),
  status: RoundStatus,
  stops: z.array(RouteStop),
})
export type RoundRoute = z.infer<typeof RoundRoute>

export const roundRoutes = {
  listRoundRoutes: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/rounds/routes',
    summary: 'List the rounds of a day with the places of their stops, without cancelled rounds',
    needs: 'round.read',
    feature: 'productStock',
    topics: ['round', 'machine'],
    query: z.strictObject({ day: Day }),
    ok: z.array(RoundRoute),
  }),
}
