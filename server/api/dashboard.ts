import type { dashboards } from '#contract/dashboard.ts'
import { toWire } from '#contract/instant.ts'
import {
  countProblems,
  currenciesInUse,
  daysOfSales,
  hoursOfSales,
  localDay,
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
    const day = await localDay(db, now)
    const machines = await countMachines(db)
    const needs = await whatNeedsYou(db, now, linesShown)
    const problems = await countProblems(db)
    const hours = await hoursOfSales(db, now)
    const days = await daysOfSales(db, now, daysShown)
    const currencies = await currenciesInUse(db, now)
    return {
      at: toWire(now),
      day,
      machines,
      needsYou: needs.rows.map((row) => ({ ...row, since: toWire(row.since) })),
      needsYouTotal: needs.total,
      ...problems,
      sales: currencies.map(({ currency, ...here }) =>
        salesToday(currency, { hours, days, ...here }, { weeks: usualWeeks, days: daysShown }),
      ),
    }
  },
}
