import { expect, test } from 'vitest'
import type { TablePrice } from '#contract/catalogue/price.ts'
import { machinePrice } from './machinePrice.ts'

const at = (minute: number) => `2026-11-21T08:${String(minute).padStart(2, '0')}:00`
const priceAt = (price: number, minute: number) => ({ price, at: at(minute) })
const aPrice = (facts: Partial<TablePrice>): TablePrice => ({
  priceTable: 1,
  wanted: 120,
  wantedAt: at(10),
  sent: null,
  reported: null,
  audited: null,
  charged: null,
  sync: 'pending',
  loss: null,
  planned: [],
  ...facts,
})

test('the price that proves a difference is shown before a matching price', () => {
  const facts = { reported: priceAt(120, 20), audited: priceAt(120, 30), charged: priceAt(110, 25) }
  expect(machinePrice(aPrice(facts))).toMatchObject({ price: 110, by: 'charged' })
})

test('a sale or an audit before the target price, or older than the report, proves nothing', () => {
  expect(machinePrice(aPrice({ reported: priceAt(120, 20), charged: priceAt(110, 15) }))).toMatchObject({
    by: 'reported',
  })
  expect(machinePrice(aPrice({ reported: priceAt(120, 2), audited: priceAt(110, 5) }))).toMatchObject({ price: 120 })
})

test('without a target price the machine’s latest price is shown', () => {
  const free = { wanted: null, wantedAt: null }
  expect(machinePrice(aPrice({ ...free, reported: priceAt(90, 5), charged: priceAt(95, 8) }))).toMatchObject({
    price: 95,
  })
  expect(machinePrice(aPrice({ ...free, reported: priceAt(90, 9), charged: priceAt(95, 8) }))).toMatchObject({
    price: 90,
  })
  expect(machinePrice(aPrice(free))).toBeUndefined()
})
