import { expect, test } from 'vitest'
import { identitiesAtRead, identitiesBetween } from './account-identities.ts'
import type { AuditCounters } from './audit-counters.ts'
import { intervalBetween } from './audit-interval.ts'

const read = (lines: AuditCounters['lines'], tubes: number | null = null, counted = tubes): AuditCounters => ({
  board: null,
  machine: null,
  began: null,
  lines,
  tubeContents: tubes,
  tubesCounted: counted,
  selections: [],
})
const atRead = (counters: AuditCounters) =>
  Object.fromEntries(identitiesAtRead(counters).map((each) => [each.identity, each]))
const between = (before: AuditCounters, now: AuditCounters) =>
  Object.fromEntries(identitiesBetween(before, now, intervalBetween(before, now)).map((each) => [each.identity, each]))

test('cash in is the sum of box, tubes and bills', () => {
  const { cashIn } = atRead(
    read({ cashIn: [null, 1_000], toBox: [null, 300], toTubes: [null, 200], bills: [null, 500] }),
  )
  expect(cashIn).toMatchObject({ left: 1_000, right: 1_000, holds: true })
  const short = atRead(read({ cashIn: [null, 1_000], toBox: [null, 300], toTubes: [null, 200], bills: [null, 400] }))
  expect(short.cashIn).toMatchObject({ left: 1_000, right: 900, holds: false })
})

test('a sum that lacks a part and falls short proves nothing', () => {
  expect(atRead(read({ cashIn: [null, 1_000], toBox: [null, 300] })).cashIn).toMatchObject({ right: 300, holds: null })
  const withoutCash = atRead(read({ sold: [10, 1_000], cashless1Sold: [4, 400] }))
  expect(withoutCash.salesByDevice).toMatchObject({ left: 1_000, right: 400, holds: null })
})

test('sales are the devices’, and the selections’, in money and in pieces', () => {
  const checks = atRead(
    read({
      sold: [10, 1_000],
      cashSold: [6, 600],
      cashless1Sold: [3, 300],
      valueTokens: [null, 100],
      bySelection: [9, 1_000],
    }),
  )
  expect(checks.salesByDevice?.holds).toBe(true)
  expect(checks.salesBySelection?.holds).toBe(true)
  expect(checks.vendsBySelection).toMatchObject({ left: 9, right: 10, isMoney: false, holds: false })
})

test('coins and bills by value add up to the totals in and out', () => {
  const checks = atRead(
    read({
      toBox: [null, 300],
      toTubes: [null, 200],
      bills: [null, 500],
      dispensed: [null, 70],
      byHand: [null, 30],
      coinsToBox: [null, 300],
      coinsToTubes: [null, 190],
      billsByValue: [null, 500],
      coinsPaidOut: [null, 100],
    }),
  )
  expect(Object.entries(checks).map(([name, { holds }]) => [name, holds])).toEqual([
    ['coinsToBox', true],
    ['coinsToTubes', false],
    ['billsByValue', true],
    ['paidOut', true],
  ])
})

test('the content of the tubes equals the value of their coins', () => {
  expect(atRead(read({ sold: [1, 1] }, 500, 480)).tubeContents).toMatchObject({ left: 500, right: 480, holds: false })
})

test('an identity that failed long ago holds again between two readings', () => {
  const before = read({ sold: [10, 1_000], bySelection: [10, 900] })
  const now = read({ sold: [15, 1_500], bySelection: [15, 1_400] })
  expect(atRead(now).salesBySelection?.holds).toBe(false)
  expect(between(before, now).salesBySelection).toMatchObject({ left: 500, right: 500, holds: true })
})

test('tubes change by coins in, fills and payouts', () => {
  const before = read(
    { sold: [1, 1], toTubes: [null, 0], filled: [null, 0], dispensed: [null, 0], byHand: [null, 0] },
    400,
  )
  const lines: AuditCounters['lines'] = {
    sold: [2, 2],
    toTubes: [null, 120],
    filled: [null, 50],
    dispensed: [null, 60],
    byHand: [null, 10],
  }
  expect(between(before, read(lines, 500)).tubeMovement).toMatchObject({ left: 100, right: 100, holds: true })
  expect(between(before, read(lines, 480)).tubeMovement).toMatchObject({ left: 80, right: 100, holds: false })
})

test('after a reset the time before it is not compared', () => {
  const before = read({ sold: [1_000, 100_000], bySelection: [1_000, 100_000] })
  const now = read({ sold: [3, 300], bySelection: [3, 200] })
  expect(between(before, now)).toEqual({})
})
