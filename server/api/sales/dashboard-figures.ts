import { toWire } from '#contract/frame/instant.ts'
import type { KioskDashboard } from '#contract/sales/kiosk.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { oldWrongPrices } from '#database/catalogue/wrong-price/wrong-price.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { claimFigures } from '#database/key-portal/claim-log.ts'
import { countMachines, daysShown } from '#database/machines/machine.ts'
import {
  countProblems,
  currenciesInUse,
  daysOfSales,
  hoursOfSales,
  localDay,
  whatNeedsYou,
} from '#database/sales/dashboard.ts'
import { firstDays } from '#database/sales/first-day.ts'
import { salesToday } from '#domain/sales/sales-today.ts'
import { usualDaysOf } from '#domain/time/comparison.ts'

/** Maximum lines of "Needs attention" on the dashboard; the list shows the rest. */
const linesShown = 12
/** Days of the median time to an answer. */
const claimDays = 30

/** Today's figures and the machines that need attention: the part of the dashboard that is the same for every user with this scope. */
export async function dashboardFigures(db: TenantDb, now: Date): Promise<KioskDashboard> {
  const day = await localDay(db, now)
  const { states, counts, boxes } = await countMachines(db)
  const needs = await whatNeedsYou(db, linesShown)
  const problems = await countProblems(db, now)
  const hours = await hoursOfSales(db, now)
  const days = await daysOfSales(db, now, daysShown)
  const wrong = await oldWrongPrices(db)
  const claims = await claimFigures(db, now, claimDays)
  const currencies = await currenciesInUse(db, now, boxes)
  const begins = await firstDays(db)
  const firstDay = (currency: Currency) =>
    begins
      .filter((one) => one.currency === currency)
      .map((one) => one.day)
      .sort()[0] ?? null
  return {
    at: toWire(now),
    day,
    machines: { ...states, ...counts },
    needsYou: needs.map((row) => ({ ...row, since: toWire(row.since) })),
    ...problems,
    fullCashBoxes: currencies.reduce((sum, { fullCashBoxes }) => sum + fullCashBoxes, 0),
    wrongPrices: wrong.reduce((sum, { count }) => sum + count, 0),
    wrongPricesLost: wrong.map(({ currency, lost }) => ({ currency, lost })),
    openClaims: claims.open,
    answeredClaims: claims.answered,
    claimAnswerMinutes: claims.medianMinutes,
    sales: currencies.map(({ currency, fullCashBoxes: _, ...here }) =>
      salesToday(currency, { hours, days, ...here }, { weeks: usualDaysOf(day, firstDay(currency)), days: daysShown }),
    ),
  }
}
