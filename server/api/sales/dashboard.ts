import { toWire } from '#contract/frame/instant.ts'
import type { dashboards } from '#contract/sales/dashboard.ts'
import { countMachines, daysShown } from '#database/machines/machine.ts'
import {
  countProblems,
  currenciesInUse,
  daysOfSales,
  hoursOfSales,
  localDay,
  usualWeeks,
  whatNeedsYou,
} from '#database/sales/dashboard.ts'
import { salesToday } from '#domain/sales/sales-today.ts'
import type { Handlers } from '#server/http/handler.ts'

/** Lines of "needs you now" on the dashboard; the rest is a list away. */
const linesShown = 12

export const dashboardHandlers: Handlers<typeof dashboards> = {
  getDashboard: async ({ db, now }) => {
    const day = await localDay(db, now)
    const { states, ...counts } = await countMachines(db)
    const needs = await whatNeedsYou(db, linesShown)
    const problems = await countProblems(db, now)
    const hours = await hoursOfSales(db, now)
    const days = await daysOfSales(db, now, daysShown)
    const currencies = await currenciesInUse(db, now)
    return {
      at: toWire(now),
      day,
      machines: { ...states, ...counts },
      needsYou: needs.map((row) => ({ ...row, since: toWire(row.since) })),
      ...problems,
      fullCashBoxes: currencies.reduce((sum, { fullCashBoxes }) => sum + fullCashBoxes, 0),
      sales: currencies.map(({ currency, fullCashBoxes: _, ...here }) =>
        salesToday(currency, { hours, days, ...here }, { weeks: usualWeeks, days: daysShown }),
      ),
    }
  },
}
