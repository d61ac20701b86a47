import { expect, test } from 'vitest'
import { CommandOrder } from '#contract/remote-command.ts'
import { amountFault, emptyDraft, expiryHours, minorOf, orderOf, windowOf } from './commandOrder.ts'

const now = new Date('2026-11-21T08:00:00Z')

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

test('a start lies ahead, and the end within thirty days', () => {
  const later = (at: string, expiry = 24) => windowOf({ isLater: true, at, expiry }, now)
  for (const none of ['2026-11-21T07:59:00.000', '', 'tomorrow', '2026-11-29 02:30']) expect(later(none)).toBe('past')
  expect(later('2026-12-20T09:00:00.000', 72)).toBe('tooLate')
  expect(later('2026-11-22T08:00:00.000')).toEqual({
    start: new Date('2026-11-22T08:00:00Z'),
    expires: new Date('2026-11-23T08:00:00Z'),
  })
})

test('every waiting time can be chosen for a command of now', () => {
  for (const expiry of expiryHours)
    expect(windowOf({ isLater: false, at: '', expiry }, now)).toMatchObject({ start: undefined })
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
