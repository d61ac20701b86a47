import { useMemo } from 'react'
import { type PeriodPreset, periodOn } from '#domain/time/period.ts'
import { useToday } from '#portal/ui/time/When.tsx'
import { type ListRules, type ListState, queryOfState } from './listState.ts'

/** The endpoint query of a list's state; "today" changes after midnight in the zone. */
export function useQueryOfState(state: ListState, rules: ListRules, timeZone: string) {
  const today = useToday(timeZone)
  return useMemo(
    () => queryOfState(state, rules, (preset: PeriodPreset) => periodOn(preset, today)),
    [state, rules, today],
  )
}
