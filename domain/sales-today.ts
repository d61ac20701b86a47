import type { HourOfSales, SalesToday } from '#contract/dashboard.ts'
import type { Currency } from '#contract/vocabulary/currencies.ts'

export interface SoldInHour {
  currency: Currency
  weeksAgo: number
  hour: number
  value: number
  vends: number
}

export interface SoldOnDay {
  currency: Currency
  age: number
  value: number
  vends: number
}

/**
 * Today's sales beside the usual: the mean of the last `weeks` same weekdays per hour, with the lowest and highest of them. "By
 * now" counts the hours that have passed and the share of the hour that runs.
 */
export function salesToday(
  currency: Currency,
  sold: { hours: SoldInHour[]; days: SoldOnDay[]; cashInBoxes: number },
  now: { hour: number; minute: number },
  { weeks, days }: { weeks: number; days: number },
): SalesToday {
  const mine = sold.hours.filter((row) => row.currency === currency)
  const hours: HourOfSales[] = Array.from({ length: 24 }, (_, hour) => {
    const today = mine.find((row) => row.weeksAgo === 0 && row.hour === hour)
    const before = Array.from({ length: weeks }, (_, week) =>
      mine.find((row) => row.weeksAgo === week + 1 && row.hour === hour),
    )
    const values = before.map((row) => row?.value ?? 0)
    return {
      hour,
      value: today?.value ?? 0,
      vends: today?.vends ?? 0,
      usualValue: Math.round(sum(values) / weeks),
      usualLow: Math.min(...values),
      usualHigh: Math.max(...values),
      usualVends: sum(before.map((row) => row?.vends ?? 0)) / weeks,
    }
  })
  const byNow = (of: (hour: HourOfSales) => number) =>
    sum(hours.filter((row) => row.hour < now.hour).map(of)) + (of(hours[now.hour] as HourOfSales) * now.minute) / 60
  const byDay = (of: (day: SoldOnDay) => number) =>
    Array.from({ length: days }, (_, index) => {
      const day = sold.days.find((row) => row.currency === currency && row.age === days - 1 - index)
      return day ? of(day) : 0
    })
  return {
    currency,
    value: sum(hours.map((row) => row.value)),
    vends: sum(hours.map((row) => row.vends)),
    usualValueByNow: Math.round(byNow((row) => row.usualValue)),
    usualVendsByNow: byNow((row) => row.usualVends),
    hours,
    valueByDay: byDay((day) => day.value),
    vendsByDay: byDay((day) => day.vends),
    cashInBoxes: sold.cashInBoxes,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
