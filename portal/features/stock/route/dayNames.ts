import { weekdays } from '#portal/ui/time/clock.ts'

/** Weekdays in a reader's language; 1 is Monday. */
export const dayNames = (days: readonly number[], locale: string): string => {
  const names = weekdays(locale)
  return days.map((day) => names[day - 1] ?? '').join(', ')
}
