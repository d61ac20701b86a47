import { useMemo, useState } from 'react'
import type { WeekPlan, WeekRound } from '#contract/stock/week-plan.ts'

type RoundKey = Pick<WeekRound, 'day' | 'routeId'>
const keyOf = ({ day, routeId }: RoundKey, posId: string) => `${day} ${routeId} ${posId}`

/** The proposed stops that the user keeps: all of them at first. */
export function useChosenStops(plan: WeekPlan) {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const rounds = useMemo(
    () =>
      plan.rounds.flatMap((round): WeekRound[] => {
        const stops = round.stops.filter(({ posId }) => !removed.has(keyOf(round, posId)))
        return stops.length > 0 ? [{ ...round, stops }] : []
      }),
    [plan, removed],
  )
  return {
    /** The rounds with their kept stops; a round without any is none. */
    rounds,
    has: (round: RoundKey, posId: string) => !removed.has(keyOf(round, posId)),
    choose: (round: RoundKey, posIds: readonly string[], isChosen: boolean) =>
      setRemoved((before) => {
        const after = new Set(before)
        for (const posId of posIds) {
          if (isChosen) after.delete(keyOf(round, posId))
          else after.add(keyOf(round, posId))
        }
        return after
      }),
  }
}
export type ChosenStops = ReturnType<typeof useChosenStops>
