import { offsetOf, type Page } from '../frame/list.ts'

export interface DayCount {
  day: string
  machines: number
}

/** Some rows of a day, after how many of it. */
export interface PartOfDay {
  day: string
  after: number
  rows: number
}

/** The parts of the days of a page: how many rows of which day, after how many. */
export function partsOf(days: readonly DayCount[], page: Page): PartOfDay[] {
  let before = offsetOf(page)
  let left = page.size
  const parts: PartOfDay[] = []
  for (const { day, machines } of days) {
    const rows = Math.max(0, Math.min(left, machines - before))
    if (rows > 0) parts.push({ day, after: before, rows })
    before = Math.max(0, before - machines)
    left -= rows
  }
  return parts
}
