import type { HourOfSales, SalesToday } from '#contract/sales/dashboard.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { meanOver } from '../time/comparison.ts'

export interface SoldInHour {
  currency: Currency
  weeksAgo: number
  hour: number
  /** The elapsed share of the current hour at the point of sale: 0 to 1. */
  passed: number
  value: number
  vends: number
  failedCharge: number
}

export interface SoldOnDay {
  currency: Currency
  age: number
  value: number
  vends: number
}

/**
 * Today's sales beside the usual: the mean of the last `weeks` same weekdays with data per hour, with the lowest and highest of them. "By
 * now" counts the hours that have passed and the share of the hour that runs, by each merchant's own clock.
 */
export function salesToday(
  currency: Currency,
  sold: { hours: SoldInHour[]; days: SoldOnDay[]; cashInBoxes: number; isCashHidden?: boolean; hourNow: number },
  { weeks, days }: { weeks: number; days: number },
): SalesToday {
  const ofCurrency = sold.hours.filter((row) => row.currency === currency)
  const hours: HourOfSales[] = Array.from({ length: 24 }, (_, hour) => {
    const soldOn = (weeksAgo: number) => {
      const rows = ofCurrency.filter((row) => row.weeksAgo === weeksAgo && row.hour === hour)
      return { value: sum(rows.map((row) => row.value)), vends: sum(rows.map((row) => row.vends)) }
    }
    const before = Array.from({ length: weeks }, (_, week) => soldOn(week + 1))
    const values = weeks === 0 ? [0] : before.map(({ value }) => value)
    const mean = (sums: number[]) => meanOver(sums, weeks)
    return {
      hour,
      ...soldOn(0),
      usualValue: Math.round(mean(values)),
      usualLow: Math.min(...values),
      usualHigh: Math.max(...values),
      usualVends: mean(before.map(({ vends }) => vends)),
    }
  })
  const usualByNow = (of: (hour: SoldInHour) => number) =>
    meanOver(
      ofCurrency.filter(({ weeksAgo }) => weeksAgo > 0 && weeksAgo <= weeks).map((row) => of(row) * row.passed),
      weeks,
    )
  const byDay = (of: (day: SoldOnDay) => number) =>
    Array.from({ length: days }, (_, index) => {
      const day = sold.days.find((row) => row.currency === currency && row.age === days - 1 - index)
      return day ? of(day) : 0
    })
  return {
    currency,
    hourNow: sold.hourNow,
    value: sum(hours.map((row) => row.value)),
    vends: sum(hours.map((row) => row.vends)),
    usualDays: weeks,
    failedCharge: sum(ofCurrency.filter(({ weeksAgo }) => weeksAgo === 0).map((row) => row.failedCharge)),
    usualValueByNow: Math.round(usualByNow((row) => row.value)),
    usualVendsByNow: usualByNow((row) => row.vends),
    hours,
    valueByDay: byDay((day) => day.value),
    vendsByDay: byDay((day) => day.vends),
    cashInBoxes: sold.cashInBoxes,
    isCashHidden: sold.isCashHidden ?? false,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
