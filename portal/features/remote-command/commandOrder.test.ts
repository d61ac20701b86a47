import { expect, test } from 'vitest'
import { CommandOrder } from '#contract/remote-command.ts'
import { amountFault, emptyDraft, expiryHours, instantAt, minorOf, orderOf, wallOf, windowOf } from './commandOrder.ts'

const now = new Date('2026-11-21T08:00:00Z')
const rome = 'Europe/Rome'

test('what is typed in units becomes minor units of the currency', () => {
  expect(minorOf('1.15', 'EUR')).toBe(115)
  expect(minorOf('1,15', 'EUR')).toBe(115)
  expect(minorOf('2.5', 'EUR')).toBe(250)
  expect(minorOf(' 0,1 ', 'EUR')).toBe(10)
  expect(minorOf('7', 'EUR')).toBe(700)
  expect(minorOf('500', 'CLP')).toBe(500)
  expect(minorOf('500', 'COP')).toBe(50_000)
})

test('an amount that can be read in two ways is none', () => {
  for (const unclear of ['', ' ', 'five', '-5', '1e3', '1.000', '1,234.50', '2,5,0', '1.255', '0x10'])
    expect(minorOf(unclear, 'EUR')).toBeUndefined()
  expect(minorOf('1.000', 'COP')).toBeUndefined()
})

test('credit is more than nothing and not beyond the bound', () => {
  expect(amountFault('', 'EUR')).toBe('required')
  expect(amountFault('0', 'EUR')).toBe('required')
  expect(amountFault('-5', 'EUR')).toBe('unclear')
  expect(amountFault('1.000', 'EUR')).toBe('unclear')
  expect(amountFault('10000,01', 'EUR')).toBe('most')
  expect(amountFault('10000', 'EUR')).toBeUndefined()
})

test("a wall clock's time is read in the merchant's zone", () => {
  expect(instantAt('2026-11-21T14:30', rome)).toEqual(new Date('2026-11-21T13:30:00Z'))
  expect(instantAt('2026-07-21T14:30', rome)).toEqual(new Date('2026-07-21T12:30:00Z'))
  expect(wallOf(now, rome)).toBe('2026-11-21T09:00')
  for (const nonsense of ['', 'tomorrow', '2026-13-40T00:00']) expect(instantAt(nonsense, rome)).toBeUndefined()
})

test('a start lies ahead, and the end within thirty days', () => {
  const later = (at: string, expiry = 24) => windowOf({ isLater: true, at, expiry }, rome, now)
  expect(later('2026-11-21T08:59')).toBe('past')
  expect(later('')).toBe('past')
  expect(later('2026-12-20T10:00', 72)).toBe('tooLate')
  expect(later('2026-11-22T09:00')).toEqual({
    start: new Date('2026-11-22T08:00:00Z'),
    expires: new Date('2026-11-23T08:00:00Z'),
  })
})

test('every waiting time can be chosen for a command of now', () => {
  for (const expiry of expiryHours)
    expect(windowOf({ isLater: false, at: '', expiry }, rome, now)).toMatchObject({ start: undefined })
})

test('a whole draft is an order that the contract takes', () => {
  const window = { expires: '2026-11-22T08:00:00.000' }
  const restart = orderOf({ ...emptyDraft, type: 4 }, 'EUR', window)
  const credit = orderOf({ ...emptyDraft, type: 5, amount: '2.5' }, 'EUR', window)
  expect(CommandOrder.safeParse(restart).success).toBe(true)
  expect(CommandOrder.parse(credit)).toMatchObject({ type: 5, parameters: { amount: 250 } })
  expect(orderOf({ ...emptyDraft, type: 5, amount: '2.5' }, undefined, window)).toBeUndefined()
  expect(orderOf(emptyDraft, 'EUR', window)).toBeUndefined()
})
