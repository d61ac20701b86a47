import type { RouteStop, roundRoutes } from '#contract/stock/round-route.ts'
import { type RouteStopRecord, stopsOfDay } from '#database/stock/round-route.ts'
import type { Handlers } from '#server/http/handler.ts'

/** A stop with a place; none without one. */
const placed = (stop: RouteStopRecord, at: number): RouteStop[] =>
  stop.latitude === null || stop.longitude === null
    ? []
    : [
        {
          posId: stop.machine_id,
          posName: stop.machine_name,
          number: at + 1,
          status: stop.stop_status,
          latitude: stop.latitude,
          longitude: stop.longitude,
        },
      ]

/** Rounds as they are drawn on a map. */
export const roundRouteHandlers: Handlers<typeof roundRoutes> = {
  listRoundRoutes: async ({ db, query }) => {
    const byRound = Map.groupBy(await stopsOfDay(db, query.day), ({ round_id }) => round_id)
    return [...byRound].flatMap(([id, stops]) => {
      const [first] = stops
      if (!first) return []
      const { merchant_id: merchantId, name, assignee_name: assigneeName, status } = first
      return [{ id, merchantId, name, assigneeName, status, stops: stops.flatMap(placed) }]
    })
  },
}
