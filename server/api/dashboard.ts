import type { dashboards } from '#contract/dashboard.ts'
import { toWire } from '#contract/instant.ts'
import {
  cashInBoxes,
  countProblems,
  daysOfSales,
  hoursOfSales,
  localNow,
  usualWeeks,
  whatNeedsYou,
} from '#database/dashboard.ts'
import { countMachines, daysShown } from '#database/machine.ts'
import { salesToday } from '#domain/sales-today.ts'
import type { Handlers } from './handler.ts'

/** Lines of "needs you now" on the dashboard; the rest is a list away. */
const linesShown = 12

export const dashboardHandlers: Handlers<typeof dashboards> = {
  getDashboard: async ({ db, now }) => {
    const local = await localNow(db, now)
    const machines = await countMachines(db)
    const needs = await whatNeedsYou(db, now, linesShown)
    const problems = await countProblems(db)
    const hours = await hoursOfSales(db, now)
    const days = await daysOfSales(db, now, daysShown)
    const currencies = await cashInBoxes(db)
    return {
      at: toWire(now),
      day: local.day,
      hourNow: local.hour,
      machines,
      needsYou: needs.rows.map((row) => ({ ...row, since: toWire(row.since) })),
      needsYouTotal: needs.total,
      ...problems,
      sales: currencies.map(({ currency, cash }) =>
        salesToday(currency, { hours, days, cashInBoxes: cash }, local, { weeks: usualWeeks, days: daysShown }),
      ),
    }
  },
}
