import { periodPresets } from '#contract/frame/period.ts'
import { isDay, type PeriodPreset } from '#domain/time/period.ts'
import { oneOf, type Search } from '#portal/app/search.ts'

export const isPreset = (value: string | undefined): value is PeriodPreset =>
  (periodPresets as readonly string[]).includes(value ?? '')

/** The period of an address: a preset's name, two days, or nothing. */
export function periodIn(search: Search): [] | [PeriodPreset] | [startDate: string, endDate: string] {
  const preset = oneOf(search, 'period')
  if (isPreset(preset)) return [preset]
  const start = oneOf(search, 'startDate') ?? ''
  const end = oneOf(search, 'endDate') ?? ''
  return isDay(start) && isDay(end) && start <= end ? [start, end] : []
}
