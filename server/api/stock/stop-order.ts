import { ProductError } from '#contract/errors.ts'
import type { stopOrders } from '#contract/stock/stop-order.ts'
import { among } from '#database/frame/conditions.ts'
import { drivingOrder, kmBetween, placedAmong, placesOf } from '#domain/stock/round.ts'
import type { Handlers } from '#server/http/handler.ts'
import { roadsBetween } from '#server/network/roads.ts'

/** The sum of what is between places, from one to the next. */
const along = (between: readonly (readonly number[])[], way: readonly number[]): number =>
  way.slice(1).reduce((sum, to, at) => sum + (between[way[at] ?? 0]?.[to] ?? 0), 0)

/** The order of stops before a round is saved. */
export const stopOrderHandlers: Handlers<typeof stopOrders> = {
  orderStops: async ({ db, body, config }) => {
    const { posIds, start, returns } = body
    const rows = await db
      .from('machines')
      .where(among('machines.id', posIds, 'uuid'))
      .select(['machines.id', 'machines.latitude', 'machines.longitude'])
      .execute()
    if (rows.length < posIds.length) throw new ProductError('MachineNotFound')
    const byId = new Map(rows.map((row) => [row.id, row]))
    const stops = posIds.flatMap((id) => byId.get(id) ?? [])
    const places = placesOf(stops, start)
    const roads = config.ROUTING_URL && places.length > 1 ? await roadsBetween(config.ROUTING_URL, places) : undefined
    const metres = roads?.metres ?? places.map((one) => places.map((other) => kmBetween(one, other) * 1000))
    const order = drivingOrder(stops, { start, returns, distances: roads?.seconds ?? metres })
    const placeOf = new Map(placedAmong(stops).map(({ id }, at) => [id, at + (start ? 1 : 0)]))
    const way = [...(start ? [0] : []), ...order.flatMap(({ id }) => placeOf.get(id) ?? [])]
    if (returns && way[0] !== undefined) way.push(way[0])
    return {
      posIds: order.map(({ id }) => id),
      by: roads ? 'road' : 'air',
      kilometers: Math.round(along(metres, way) / 100) / 10,
      minutes: roads ? Math.round(along(roads.seconds, way) / 60) : null,
    }
  },
}
