import { useCallback, useState } from 'react'

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
  return { posIds, toggle, move, set: setPosIds }
}
