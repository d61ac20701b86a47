import { expect, test } from 'vitest'
import { closuresOf, openDays } from './closure.ts'

const weekdayOf = (day: number) => day % 7
const office = (day: number) => (day % 7 < 5 ? 10 : 0)
const sold = (piecesOn: (day: number) => number | null, days = 70) =>
  Array.from({ length: days }, (_, day) => piecesOn(day))

test('a weekend, a single day without sales and slow sales are no closure', () => {
  expect(closuresOf(sold(office), weekdayOf)).toEqual([])
  expect(
    closuresOf(
      sold((day) => (day === 30 ? 0 : office(day))),
      weekdayOf,
    ),
  ).toEqual([])
  expect(
    closuresOf(
      sold((day) => (day % 4 === 0 ? 1 : 0)),
      weekdayOf,
    ),
  ).toEqual([])
})

test('days in a row that should have sold six pieces are one, with the weekend between them', () => {
  const closed = sold((day) => (day >= 31 && day < 43 ? 0 : office(day)))
  expect(closuresOf(closed, weekdayOf)).toEqual([{ first: 31, last: 42 }])
})

test('a coffee of a caretaker opens no site; a quarter of the usual sales does', () => {
  const course = (pieces: number) => sold((day) => (day === 38 ? pieces : day >= 28 && day < 49 ? 0 : office(day)))
  expect(closuresOf(course(1), weekdayOf)).toEqual([{ first: 28, last: 48 }])
  expect(closuresOf(course(4), weekdayOf)).toEqual([
    { first: 28, last: 37 },
    { first: 39, last: 48 },
  ])
})

test('a past that begins in a closure is not taken for the usual', () => {
  const [first] = closuresOf(
    sold((day) => (day < 21 ? 0 : office(day)), 84),
    weekdayOf,
  )
  expect(first).toEqual({ first: 0, last: 20 })
})

test('days that say nothing do not end a closure', () => {
  const course = sold((day) => (day === 37 ? null : day >= 35 && day < 49 ? 0 : office(day)))
  expect(closuresOf(course, weekdayOf)).toEqual([{ first: 35, last: 48 }])
})

test('a closure that lasts ends as last year, one without a year before after as many days again', () => {
  const closed = (open: boolean[]) => open.map((isOpen, day) => (isOpen ? -1 : day)).filter((day) => day >= 0)
  expect(closed(openDays([{ first: 396, last: 399 }], 400, 28, 364))).toEqual([0, 1, 2, 3])
  const lastYear = { first: 30, last: 46 }
  expect(closed(openDays([lastYear, { first: 396, last: 399 }], 400, 28, 364))).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ])
  expect(closed(openDays([{ first: 38, last: 46 }], 400, 28, 364))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
  // It has sold since the day on which it closed last year.
  expect(closed(openDays([lastYear], 400, 28, 364))).toEqual([])
})
