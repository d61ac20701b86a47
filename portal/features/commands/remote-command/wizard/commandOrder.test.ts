import { expect, test } from 'vitest'
import { CommandOrder } from '#contract/commands/remote-command.ts'
import { remoteCommandTypeNumbers } from '#contract/vocabulary/remote-command.ts'
import {
  amountFault,
  type Draft,
  emptyDraft,
  expiryHours,
  minorOf,
  orderOf,
  parameterFaults,
  timingOf,
} from './commandOrder.ts'

const now = new Date('2026-11-21T08:00:00Z')
const rome = ['Europe/Rome']
const timing = { kind: 'instant', start: undefined, expires: new Date('2026-11-22T08:00:00Z') } as const
/** A draft with the parameters of every command. */
const whole: Draft = {
  ...emptyDraft,
  amount: 250,
  objectId: '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11',
  settings: [{ name: 'boiler', value: '92' }],
  prices: [{ selection: '12', priceTable: '', price: '1,20' }],
}

test('amounts typed in units become minor units of the currency', () => {
  expect(minorOf('1.15', 'EUR')).toBe(115)
  expect(minorOf('1,15', 'EUR')).toBe(115)
  expect(minorOf('2.5', 'EUR')).toBe(250)
  expect(minorOf(' 0,1 ', 'EUR')).toBe(10)
  expect(minorOf('7', 'EUR')).toBe(700)
  expect(minorOf('500', 'CLP')).toBe(500)
  expect(minorOf('500', 'COP')).toBe(50_000)
})

test('amounts are parsed as everywhere: with the currency’s separators, with or without thousands', () => {
  expect(minorOf('1.000', 'EUR')).toBe(100_000)
  expect(minorOf('1.234,50', 'EUR')).toBe(123_450)
  expect(minorOf('1,234.50', 'EUR')).toBe(123_450)
  for (const unclear of ['', ' ', 'five', '-5', '1e3', '2,5,0', '1,255', '0x10'])
    expect(minorOf(unclear, 'EUR'), unclear).toBeUndefined()
})

test('credit is above zero and within the limit', () => {
  for (const none of [null, '', ' ', 0, -500]) expect(amountFault(none, 'EUR')).toBe('required')
  expect(amountFault('five', 'EUR')).toBe('unclear')
  expect(amountFault(1_000_001, 'EUR')).toBe('most')
  expect(amountFault(1_000_000, 'EUR')).toBeUndefined()
})

test('a start is in the future, and the end within thirty days', () => {
  const later = (at: string, expiry = 24) => timingOf({ ...emptyDraft, when: 'later', at, expiry }, rome, now)
  for (const none of ['2026-11-21T07:59:00.000', '', 'tomorrow', '2026-11-29 02:30']) expect(later(none)).toBe('past')
  expect(later('2026-12-20T09:00:00.000', 72)).toBe('tooLate')
  expect(later('2026-11-22T08:00:00.000')).toEqual({
    kind: 'instant',
    start: new Date('2026-11-22T08:00:00Z'),
    expires: new Date('2026-11-23T08:00:00Z'),
  })
})

test('every waiting time can be chosen for an immediate command', () => {
  for (const expiry of expiryHours)
    expect(timingOf({ ...emptyDraft, expiry }, rome, now)).toMatchObject({ kind: 'instant', start: undefined })
})

test('a window is a day with two times, not yet over in some zone and within thirty days', () => {
  const window = (part: Partial<Draft>, zones = rome) =>
    timingOf({ ...emptyDraft, when: 'window', day: '2026-11-22', ...part }, zones, now)
  expect(window({ from: '2', until: '5.30' })).toEqual({
    kind: 'window',
    window: { day: '2026-11-22', from: '02:00', until: '05:30' },
  })
  for (const part of [{ day: null }, { day: '22 nov' }, { from: '25' }, { until: '' }])
    expect(window(part)).toBe('unclear')
  expect(window({ day: '2026-11-20' })).toBe('past')
  // Over in Rome at nine in the morning, still ahead where it is three at night.
  expect(window({ day: '2026-11-21' })).toBe('past')
  expect(window({ day: '2026-11-21' }, ['Europe/Rome', 'America/Bogota'])).toMatchObject({ kind: 'window' })
  expect(window({ day: '2026-12-22' })).toBe('tooLate')
})

test('a complete draft is an order that the contract accepts, for every type', () => {
  for (const type of remoteCommandTypeNumbers) {
    const order = orderOf({ ...whole, type }, 'EUR', timing)
    expect(CommandOrder.safeParse(order).success).toBe(true)
    expect(order?.type).toBe(type)
    expect(parameterFaults({ ...whole, type }, 'EUR')).toEqual({})
  }
  expect(orderOf({ ...whole, type: 5 }, 'EUR', timing)).toMatchObject({ parameters: { amount: 250 } })
  expect(orderOf({ ...whole, type: 10 }, 'EUR', timing)).toMatchObject({
    parameters: { prices: [{ selection: '12', price: 120 }] },
  })
  expect(orderOf({ ...whole, type: 19 }, 'EUR', timing)?.parameters).toMatchObject({
    vpConfigurationId: '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11',
  })
})

test('an incomplete draft is not an order, and the form names the missing fields', () => {
  const broken = (part: Partial<Draft>) => parameterFaults({ ...whole, ...part }, 'EUR')
  expect(orderOf(emptyDraft, 'EUR', timing)).toBeUndefined()
  expect(orderOf({ ...whole, type: 5 }, undefined, timing)).toBeUndefined()
  expect(orderOf({ ...whole, type: 10 }, undefined, timing)).toBeUndefined()
  expect(broken({ type: 19, objectId: '' })).toEqual({ vpConfigurationId: { key: 'rule.required' } })
  expect(broken({ type: 6, settings: [{ name: 'screen.url', value: '' }] })).toEqual({
    'settings.screen.url': { key: 'rule.managed' },
  })
  expect(broken({ type: 14, objectId: '' })).toEqual({ firmwareId: { key: 'rule.required' } })
  expect(broken({ type: 6, settings: [{ name: 'a b', value: '' }] })).toEqual({
    'settings.a b': { key: 'rule.format' },
  })
  const twice = [
    { name: 'a', value: '1' },
    { name: ' a', value: '2' },
  ]
  expect(broken({ type: 6, settings: twice })).toEqual({ settings: { key: 'rule.choice' } })
  expect(orderOf({ ...whole, type: 6, settings: twice }, 'EUR', timing)).toBeUndefined()
  expect(broken({ type: 10, prices: [{ selection: '', priceTable: '', price: '1,255' }] })).toEqual({
    'prices.0.selection': { key: 'rule.required' },
    'prices.0.price': { key: 'rule.decimals', values: { amount: '1,255', currency: 'EUR' } },
  })
  expect(broken({ type: 10, prices: [{ selection: '12', priceTable: '', price: '1,2x' }] })).toEqual({
    'prices.0.price': { key: 'rule.number' },
  })
  const settings = Array.from({ length: 150 }, (_, index) => ({ name: `s${index}`, value: 'x'.repeat(490) }))
  expect(broken({ type: 6, settings })).toEqual({ '': { key: 'rule.cloudMessage' } })
  for (const type of [6, 10, 11, 13, 14, 15, 19] as const)
    expect(orderOf({ ...emptyDraft, type }, 'EUR', timing)).toBeUndefined()
})
