import { periodPresets } from '#contract/frame/period.ts'
import { isDay } from '#domain/time/period.ts'
import { manyOf, type Search } from './search.ts'

const looksLikeDay = (text: string) => /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/.test(text)
const isPreset = (text: string) => (periodPresets as readonly string[]).includes(text)

/**
 * The dates of an address that no screen can use, in the address's own words: no such day or period, a single end, and an end before the start.
 * Screens show their default period then, so a user has to know.
 */
export function wrongDatesIn(search: Search): string[] {
  const [period, start, end] = ['period', 'startDate', 'endDate'].map((name) => manyOf(search, name)[0])
  if (period !== undefined && !isPreset(period)) return [period]
  const days = [start, end].filter((day) => day !== undefined)
  const wrong = days.filter((day) => !isDay(day))
  if (wrong.length > 0) return wrong
  if (days.length === 1 || (start !== undefined && end !== undefined && start > end)) return [days.join(' – ')]
  // Periods under other names have two days.
  return Object.entries(search).flatMap(([name, value]) => {
    if (name === 'search' || !Array.isArray(value) || value.length !== 2 || !value.every(looksLikeDay)) return []
    const [from = '', to = ''] = value
    return isDay(from) && isDay(to) && from <= to ? [] : [`${from} – ${to}`]
  })
}
