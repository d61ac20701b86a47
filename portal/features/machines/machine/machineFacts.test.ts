import { expect, test } from 'vitest'
import { cashPercentOf, typeNameOf } from './machineFacts.ts'

test('a type has its trade name, and an unknown one its code', () => {
  expect(typeNameOf('AZVT')).toBe('Vitro')
  expect(typeNameOf('NEW9')).toBe('NEW9')
})

test('a cash box is as full as its share of the capacity, and may be overfull', () => {
  expect(cashPercentOf({ cashInBox: 5000, cashBoxCapacity: 20_000 })).toBe(25)
  expect(cashPercentOf({ cashInBox: 22_000, cashBoxCapacity: 20_000 })).toBe(110)
})

test('a cash box of unknown content or capacity is not shown as empty', () => {
  expect(cashPercentOf({ cashInBox: null, cashBoxCapacity: 20_000 })).toBeUndefined()
  expect(cashPercentOf({ cashInBox: 100, cashBoxCapacity: null })).toBeUndefined()
  expect(cashPercentOf({ cashInBox: 100, cashBoxCapacity: 0 })).toBeUndefined()
})
