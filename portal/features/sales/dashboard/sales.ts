import type { SalesToday } from '#contract/sales/dashboard.ts'

/** Vends are counted alike in every currency. */
export function vendsOf(sales: readonly SalesToday[]) {
  const days = sales[0]?.vendsByDay.length ?? 0
  return {
    vends: sum(sales.map(({ vends }) => vends)),
    usual: sum(sales.map(({ usualVendsByNow }) => usualVendsByNow)),
    byDay: Array.from({ length: days }, (_, day) => sum(sales.map(({ vendsByDay }) => vendsByDay[day] ?? 0))),
  }
}

/** The currency of the hourly chart: the requested one, else the currency with the most sales today. */
export function drawnSales(
  sales: readonly SalesToday[],
  preferredCurrency: string | undefined,
): SalesToday | undefined {
  const busiest = [...sales].sort((a, b) => b.vends - a.vends)[0]
  return sales.find(({ currency }) => currency === preferredCurrency) ?? busiest
}

/** Sunday is 0, as in the numbering of the weekday words. */
export const weekdayOf = (day: string) => new Date(`${day}T12:00:00Z`).getUTCDay()

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
