import { describe, expect, test } from 'vitest'
import { ruleOf } from '../rules/rule-of.ts'
import { longestCloudMessage } from '../rules/text.ts'
import { mostParameters } from '../vocabulary/configuration.ts'
import { commandTypes, type RemoteCommandType, remoteCommandTypeNumbers } from '../vocabulary/remote-command.ts'
import { mostAmount } from '../vocabulary/world/money-limits.ts'
import { commandParameters, mostPrices } from './command-parameters.ts'
import { CommandOrder } from './remote-command.ts'

const file = { url: 'https://files.example.com/firmware/gx-2.4.1.bin', sha256: '0'.repeat(64), bytes: 1_482_112 }
const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'
/** A valid example of each command's parameters. */
const sound: Record<RemoteCommandType, object> = {
  1: {},
  2: {},
  3: {},
  4: {},
  5: { amount: 250 },
  6: { settings: { 'boiler.temperature': '92' } },
  7: { amount: 100 },
  8: {},
  9: {},
  10: {
    prices: [
      { selection: '12', price: 120 },
      { selection: '12', priceTable: 2, price: 100 },
    ],
  },
  11: { firmwareId: id },
  12: {},
  13: { cashDatabaseId: id },
  14: { firmwareId: id },
  15: { cashDatabaseId: id },
  16: {},
  17: {},
  18: {},
  19: { vpConfigurationId: id },
}
const types: readonly RemoteCommandType[] = remoteCommandTypeNumbers
const order = (type: number, parameters: unknown, when: object = {}) =>
  CommandOrder.safeParse({ type, parameters, ...when })

test('every type has a number of its own and parameters, and is sent with them', () => {
  expect(new Set(Object.values(commandTypes)).size).toBe(Object.keys(commandTypes).length)
  expect(Object.keys(commandParameters).map(Number)).toEqual(types)
  for (const type of types) expect(order(type, sound[type]).data).toMatchObject({ type, parameters: sound[type] })
})

test('a command refuses unknown parameters and missing ones', () => {
  for (const type of types) {
    expect(order(type, { ...sound[type], more: 1 }).success).toBe(false)
    const needs = Object.keys(sound[type])
    expect(order(type, undefined).success).toBe(needs.length === 0)
    for (const need of needs) {
      const { [need]: _, ...rest } = sound[type] as Record<string, unknown>
      expect(order(type, rest).success).toBe(false)
    }
  }
  for (const type of [0, 20, 255, '1', null]) expect(order(type as number, {}).success).toBe(false)
})

describe('is refused', () => {
  const many = <T>(count: number, of: (index: number) => T) => Array.from({ length: count }, (_, index) => of(index))
  test.each([
    ['credit of nothing', 5, { amount: 0 }],
    ['credit in parts of a cent', 5, { amount: 1.5 }],
    ['credit written as text', 5, { amount: '100' }],
    ['credit beyond the bound', 5, { amount: mostAmount + 1 }],
    ['a payout below nothing', 7, { amount: -1 }],
    ['a configuration of nothing', 6, { settings: {} }],
    ['a setting with a blank in its name', 6, { settings: { 'a b': '1' } }],
    ['a setting without a name', 6, { settings: { '': '1' } }],
    ['a setting that holds a NUL', 6, { settings: { a: '\0' } }],
    ['too many settings', 6, { settings: Object.fromEntries(many(mostParameters + 1, (n) => [`s${n}`, ''])) }],
    ['no price', 10, { prices: [] }],
    ['a price below nothing', 10, { prices: [{ selection: '1', price: -1 }] }],
    ['a price of 2^60', 10, { prices: [{ selection: '1', price: 2 ** 60 }] }],
    [
      'a selection twice',
      10,
      {
        prices: [
          { selection: '1', price: 1 },
          { selection: '1', price: 2 },
        ],
      },
    ],
    ['too many prices', 10, { prices: many(mostPrices + 1, (n) => ({ selection: String(n), price: 1 })) }],
    ['a firmware typed by hand', 11, { version: '2.4', file }],
    ['a database under the name of a firmware', 13, { firmwareId: id }],
    ['a parameter of a screen configuration', 6, { settings: { 'screen.url': 'https://files.example.com/' } }],
    ['a parameter of a no-vend profile', 6, { settings: { 'novend.onHolidays': 'allDay' } }],
  ])('%s', (_, type, parameters) => expect(order(type, parameters).success).toBe(false))
})

test('no order gives a machine an address', () => {
  for (const type of types)
    for (const parameters of [{ url: file.url }, { file }, { name: 'a', file }, { ...sound[type], file }])
      expect(order(type, parameters).success).toBe(false)
})

test('a command message has 64 KB at most, its envelope included', () => {
  const settings = Array.from({ length: 150 }, (_, index) => [`setting-${index}`, 'x'.repeat(469)] as const)
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const first = (count: number) => ({ settings: Object.fromEntries(settings.slice(0, count)) })
  const message = (count: number) => ({
    id: '00000000-0000-0000-0000-000000000000',
    type: 6,
    parameters: first(count),
    expiresInSeconds: 2_592_000,
  })
  let last = settings.length
  while (bytes(message(last)) > longestCloudMessage) last--
  expect(last).toBeLessThan(settings.length)
  expect(order(6, first(last)).success).toBe(true)
  const refused = order(6, first(last + 1))
  const [issue] = refused.error?.issues ?? []
  expect(issue && ruleOf(issue, undefined).key).toBe('rule.cloudMessage')
})

test('a window by the machine’s clock excludes other times, and is a day with two times', () => {
  const localWindow = { day: '2026-11-22', from: '02:00', until: '05:00' }
  expect(order(4, {}, { localWindow }).success).toBe(true)
  expect(order(4, {}, { localWindow, notBefore: '2026-11-22T02:00:00' }).success).toBe(false)
  for (const broken of [{ from: '24:00' }, { until: '5' }, { day: '2026-02-30' }, { until: undefined }])
    expect(order(4, {}, { localWindow: { ...localWindow, ...broken } }).success).toBe(false)
})
