import { z } from 'zod'

interface Place {
  latitude: number
  longitude: number
}

/** Between places, `[from][to]`. */
export interface Roads {
  metres: number[][]
  seconds: number[][]
}

const Numbers = z.array(z.array(z.number().nonnegative()))
const Table = z.object({ code: z.literal('Ok'), distances: Numbers, durations: Numbers })

/** A user waits for the answer. */
const patienceMs = 3_000
/** A table of 101 places has 20,402 numbers of up to a dozen characters each. */
const mostBytes = 2_000_000

/**
 * Lengths and driving times between places, by a routing service like OSRM. Undefined where it does not answer in time, or knows no road between two of
 * them.
 */
export async function roadsBetween(
  service: string,
  places: readonly Place[],
  patience = patienceMs,
): Promise<Roads | undefined> {
  const path = places.map(({ latitude, longitude }) => `${longitude.toFixed(6)},${latitude.toFixed(6)}`).join(';')
  const address = `${service.replace(/\/$/, '')}/table/v1/driving/${path}?annotations=duration,distance`
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patience), redirect: 'error' })
    const text = await response.text()
    if (!response.ok || text.length > mostBytes) return undefined
    const table = Table.safeParse(JSON.parse(text))
    if (!table.success) return undefined
    const { distances: metres, durations: seconds } = table.data
    const isWhole = (rows: number[][]) =>
      rows.length === places.length && rows.every((row) => row.length === places.length)
    return isWhole(metres) && isWhole(seconds) ? { metres, seconds } : undefined
  } catch {
    // A service that is away is no fault of the round.
    return undefined
  }
}
