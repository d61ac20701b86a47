import { expect, test } from 'vitest'
import { SaleItem } from '#contract/device-protocol.ts'
import { itemOf, minorUnits } from './vend.ts'

test('amounts of the bus become minor units of the currency, or none where they do not fit', () => {
  expect(minorUnits(120, { scale: 1, decimals: 2 }, 2)).toBe(120)
  expect(minorUnits(24, { scale: 5, decimals: 2 }, 2)).toBe(120)
  expect(minorUnits(12, { scale: 1, decimals: 1 }, 2)).toBe(120)
  expect(minorUnits(1500, { scale: 1, decimals: 2 }, 0)).toBe(15)
  expect(minorUnits(1550, { scale: 1, decimals: 2 }, 0)).toBeNull()
})

test('a vend is an item of the device protocol', () => {
  const vend = { paidBy: 'cashless2', item: 31, price: 120, isFailed: false } as const
  const { kind, at: _, ...sale } = itemOf(vend, 0, { medium: 'creditCard' }) as { kind: 'sale'; at: number }
  expect(kind).toBe('sale')
  expect(SaleItem.parse({ seq: 1, at: '2026-11-21T08:00:00', ...sale })).toMatchObject({
    type: 1,
    mediaType: 5,
    mediaSource: 4,
    priceLine: 31,
    value: 120,
    errorSale: false,
  })
  expect(itemOf({ ...vend, paidBy: 'cash' }, 0, { medium: 'creditCard' })).toMatchObject({
    mediaType: 1,
    mediaSource: 0,
  })
})

test('a failed vend was not charged; a vend without its price is an event, never a guessed sale', () => {
  const failed = itemOf({ paidBy: 'cashless1', item: 5, price: 120, isFailed: true }, 0, { medium: 'unknown' })
  expect(failed).toMatchObject({ kind: 'sale', value: 0, errorSale: true })
  const unpriced = itemOf({ paidBy: 'cash', item: 5, price: null, isFailed: false }, 0, { medium: 'unknown' })
  expect(unpriced).toMatchObject({ kind: 'event', code: 'AGENT_MDB_PRICE', detail: 'cash, selection 5' })
})

test('a selection that the protocol cannot name is left out', () => {
  expect(
    itemOf({ paidBy: 'cash', item: 60_000, price: 1, isFailed: false }, 0, { medium: 'unknown' }),
  ).not.toHaveProperty('priceLine')
})
