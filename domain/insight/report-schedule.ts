import type { ReportSchedule } from '#contract/insight/report.ts'
import { instantsOf, localDayOf } from '../time/local-hour.ts'
import { addDays } from '../time/period.ts'

const isoWeekday = (day: string) => ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) + 1
const isLastOfMonth = (day: string) => addDays(day, 1).endsWith('-01')

function isDue(schedule: ReportSchedule, day: string): boolean {
  switch (schedule.every) {
    case 'day':
      return true
    case 'week':
      return isoWeekday(day) === schedule.day
    case 'month': {
      const date = Number(day.slice(8))
      // A month that lacks the day counts on its last.
      return date === schedule.day || (date < schedule.day && isLastOfMonth(day))
    }
  }
}

/**
 * When a report is sent next after an instant, by the merchant's clock. A repeated hour counts once. In place of
 * a skipped hour, the report is sent when the clocks have changed.
 */
export function nextSend(schedule: ReportSchedule, after: Date, timeZone: string): Date {
  const hour = String(schedule.hour).padStart(2, '0')
  for (let day = localDayOf(after.getTime(), timeZone); ; day = addDays(day, 1)) {
    if (!isDue(schedule, day)) continue
    const [at] = instantsOf(Date.parse(`${day}T${hour}:00:00Z`), timeZone)
    if (at > after.getTime()) return new Date(at)
  }
}
