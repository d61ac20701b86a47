import { useCallback, useState } from 'react'
import { drivingOrder } from '#domain/stock/round.ts'

interface StopPosition {
  posId: string
  latitude: number | null
  longitude: number | null
}

/** The machines of a round in driving order, and what changes them. */
export function usePlan(initial: readonly string[]) {
  const [posIds, setPosIds] = useState<readonly string[]>(initial)
  const toggle = useCallback(
    (posId: string) => setPosIds((now) => (now.includes(posId) ? now.filter((one) => one !== posId) : [...now, posId])),
    [],
  )
  /** Moves a stop to another place of the order. */
  const move = useCallback(
    (from: number, to: number) =>
      setPosIds((now) => {
        const posId = now[from]
        if (posId === undefined || to < 0 || to >= now.length) return now
        const others = now.filter((one) => one !== posId)
        return [...others.slice(0, to), posId, ...others.slice(to)]
      }),
    [],
  )
  /** Puts the stops in order from the first one on. */
  const shorten = useCallback(
    (places: readonly StopPosition[]) =>
      setPosIds((now) => {
        const byId = new Map(places.map((one) => [one.posId, one]))
        const stops = now.map((posId) => byId.get(posId) ?? { posId, latitude: null, longitude: null })
        return drivingOrder(stops).map(({ posId }) => posId)
      }),
    [],
  )
  return { posIds, toggle, move, shorten, set: setPosIds }
}
