import type { Place } from './week-calendar.ts'

/** A route takes no machine that is farther from all of its places, in kilometres as the crow flies. */
export const farthestKm = 50
/** Routes that are hardly farther than the nearest one are as good: by so much, or so many kilometres. */
const asNear = { times: 1.5, km: 5 }

const kmPerDegree = (Math.PI * 6371) / 180

export interface NearRoute {
  routeId: string
  km: number
}

/** The routes near machines that are on none, the nearest first, by machine. */
export function nearRoutes(
  routes: readonly { id: string; places: readonly Place[] }[],
  machines: readonly { id: string; place: Place | null }[],
): Map<string, NearRoute[]> {
  // Flat arrays: thousands of machines are compared with thousands of places.
  const places = routes.map(({ id, places: all }) => ({
    routeId: id,
    latitudes: Float64Array.from(all, ({ latitude }) => latitude),
    longitudes: Float64Array.from(all, ({ longitude }) => longitude),
  }))
  return new Map(
    machines.map(({ id, place }) => {
      if (!place) return [id, []]
      const found = places
        .map(({ routeId, latitudes, longitudes }) => ({ routeId, km: nearest(place, latitudes, longitudes) }))
        .filter(({ km }) => km <= farthestKm)
        .sort((one, other) => one.km - other.km || (one.routeId < other.routeId ? -1 : 1))
      const most = Math.max((found[0]?.km ?? 0) * asNear.times, (found[0]?.km ?? 0) + asNear.km)
      return [id, found.filter(({ km }) => km <= most)]
    }),
  )
}

/** Kilometres to the nearest of some places, on a plane around one: exact enough within the farthest distance. */
function nearest({ latitude, longitude }: Place, latitudes: Float64Array, longitudes: Float64Array): number {
  const shrunk = Math.cos((latitude * Math.PI) / 180)
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < latitudes.length; at++) {
    const north = (latitudes[at] ?? 0) - latitude
    const apart = Math.abs((longitudes[at] ?? 0) - longitude)
    const east = Math.min(apart, 360 - apart) * shrunk
    const squared = north * north + east * east
    if (squared < least) least = squared
  }
  return Math.sqrt(least) * kmPerDegree
}
