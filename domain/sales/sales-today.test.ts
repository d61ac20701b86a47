import { expect, test } from 'vitest'
import { salesToday } from './sales-today.ts'

const shape = { weeks: 4, days: 14 }
/** Seen at half past ten. */
const passedOf = (hour: number) => Math.min(1, Math.max(0, 10.5 - hour))
const hour = (weeksAgo: number, hour: number, value: number) => ({
  currency: 'EUR' as const,
  weeksAgo,
  hour,
  passed: passedOf(hour),
  value,
  vends: value / 100,
  failedCharge: value / 50,
})

test('the usual is the mean of the last four same weekdays, a day without sales counting as nothing', () => {
  const hours = [hour(1, 9, 400), hour(2, 9, 800), hour(3, 9, 400)]
  const nine = salesToday('EUR', { hours, days: [], cashInBoxes: 0, hourNow: 10 }, shape).hours[9]
  expect(nine).toMatchObject({ value: 0, usualValue: 400, usualLow: 0, usualHigh: 800, usualVends: 4 })
})

test('days before the data begin are not in the usual, and without one there is no usual', () => {
  const hours = [hour(1, 9, 400), hour(2, 9, 800)]
  const sold = { hours, days: [], cashInBoxes: 0, hourNow: 10 }
  const two = salesToday('EUR', sold, { ...shape, weeks: 2 })
  expect(two).toMatchObject({ usualDays: 2, usualValueByNow: 600, usualVendsByNow: 6 })
  expect(two.hours[9]).toMatchObject({ usualValue: 600, usualLow: 400, usualHigh: 800 })
  const none = salesToday('EUR', { ...sold, hours: [] }, { ...shape, weeks: 0 })
  expect(none).toMatchObject({ usualDays: 0, usualValueByNow: 0, usualVendsByNow: 0 })
  expect(none.hours[9]).toMatchObject({ usualValue: 0, usualLow: 0, usualHigh: 0 })
})

test('by half past ten the usual counts half of the hour that runs', () => {
  const hours = [1, 2, 3, 4].flatMap((week) => [hour(week, 9, 1000), hour(week, 10, 600), hour(week, 11, 5000)])
  const today = salesToday('EUR', { hours: [...hours, hour(0, 9, 900)], days: [], cashInBoxes: 0, hourNow: 10 }, shape)
  expect(today).toMatchObject({ value: 900, vends: 9, failedCharge: 18, usualValueByNow: 1300, usualVendsByNow: 13 })
})

test('merchants of one currency in two zones are each compared by their own clock', () => {
  const rome = { ...hour(1, 9, 400), passed: 1 }
  const bogota = { ...hour(1, 9, 4000), passed: 0 }
  const today = salesToday('EUR', { hours: [rome, bogota], days: [], cashInBoxes: 0, hourNow: 10 }, shape)
  expect(today.usualValueByNow).toBe(100)
  expect(today.hours[9]?.usualValue).toBe(1100)
})

test('another currency is never added', () => {
  const hours = [hour(0, 9, 900), { ...hour(0, 9, 5000), currency: 'MXN' as const }]
  expect(salesToday('EUR', { hours, days: [], cashInBoxes: 5, hourNow: 10 }, shape).value).toBe(900)
})

test('days go from the oldest to today', () => {
  const days = [
    { currency: 'EUR' as const, age: 0, value: 7, vends: 1 },
    { currency: 'EUR' as const, age: 13, value: 5, vends: 2 },
  ]
  const { valueByDay, vendsByDay } = salesToday('EUR', { hours: [], days, cashInBoxes: 0, hourNow: 10 }, shape)
  expect([valueByDay[0], valueByDay[13], vendsByDay[0], valueByDay.length]).toEqual([5, 7, 2, 14])
})
