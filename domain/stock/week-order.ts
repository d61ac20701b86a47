import { kmBetween, type Spot } from './round.ts'

type Placed = { latitude: number; longitude: number }
const placeOf = ({ latitude, longitude }: Spot): Placed | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/**
 * The stops of a route on a day in a short order: its own machines in the order of the route, each other one where it adds the least way. Stops without
 * a place that are not on the route come last. `position`: the place in the route; null: not on it.
 */
export function inRouteOrder<S extends Spot & { position: number | null }>(
  stops: readonly S[],
  start: Placed | null,
): S[] {
  const order = stops
    .filter(({ position }) => position !== null)
    .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
  const strangers = stops.filter(({ position }) => position === null)
  for (const stranger of strangers) {
    const place = placeOf(stranger)
    if (!place) continue
    let best = order.length
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at <= order.length; at++) {
      const detour = detourAt(order, at, place, start)
      // Of equally short ways, the one after the machines of the route.
      if (detour > least) continue
      best = at
      least = detour
    }
    order.splice(best, 0, stranger)
  }
  return [...order, ...strangers.filter((stop) => !placeOf(stop))]
}

/** Kilometres that a place adds before the stop at `at`, as the crow flies. */
function detourAt(order: readonly Spot[], at: number, place: Placed, start: Placed | null): number {
  const before = at === 0 ? start : placedNear(order, at - 1, -1)
  const after = placedNear(order, at, 1)
  const way = (one: Placed | null, other: Placed | null) => (one && other ? kmBetween(one, other) : 0)
  return way(before, place) + way(place, after) - way(before, after)
}

/** The place of a stop, or of the next one with a place in a direction. */
function placedNear(order: readonly Spot[], from: number, step: 1 | -1): Placed | null {
  for (let at = from; at >= 0 && at < order.length; at += step) {
    const place = placeOf(order[at] as Spot) // Cast: an index within the order.
    if (place) return place
  }
  return null
}
