import { mostKioskDays } from '#contract/sales/kiosk.ts'
import { addDays } from '../time/period.ts'

/** Whether a wall display may be created with this last day: from today to a year from now, by the merchant's calendar. */
export const mayLast = (lastDay: string, today: string): boolean =>
  lastDay >= today && lastDay <= addDays(today, mostKioskDays)
