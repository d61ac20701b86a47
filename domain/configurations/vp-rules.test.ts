import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import { type VpDeviceType, vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { vpProblemsOf } from './vp-check.ts'
import { withVpValue } from './vp-document.ts'
import { withFreeNumber } from './vp-rules.ts'
import { newVpDocument, type VpSchema, vpSchemaOf } from './vp-schema.ts'

const schemaOf = (type: VpDeviceType) => vpSchemaOf(type) as VpSchema
const changed = (document: JsonObject, changes: Record<string, Json>) =>
  Object.entries(changes).reduce((whole, [path, value]) => withVpValue(whole, path, value), document)
const problemsOf = (type: VpDeviceType, changes: Record<string, Json>) =>
  vpProblemsOf(schemaOf(type), changed(newVpDocument(schemaOf(type)), changes)).map(({ path, rule }) => [path, rule])

type Case = [what: string, changes: Record<string, Json>, path: string, rule: object]
const night = { days: [1, 2], from: '22:00', to: '06:00' }
const ofAll: Case[] = [
  [
    'a first language without its language',
    { 'display.firstLanguage': 'de' },
    'display.firstLanguage',
    { key: 'rule.firstLanguage' },
  ],
  [
    'windows that overlap after midnight',
    { 'schedule.windows': [night, { ...night, days: [2], from: '05:00', to: '07:00' }] },
    'schedule.windows.1.from',
    { key: 'rule.overlap' },
  ],
]
const water = (amount: number) => ({ kind: 'water', start: 0, seconds: 2, amount })
const cashOnly = { 'payment.cashless': false, 'payment.maximumCredit': 200 }
const ofHotDrinks: Case[] = [
  ['two drinks on one selection', { 'recipes.3.selection': 1 }, 'recipes.3.selection', { key: 'rule.unique' }],
  [
    '320 ml in a cup of 165 ml',
    { 'recipes.1.steps': [water(300), water(20)] },
    'recipes.1.steps',
    { key: 'rule.cupOverflow', values: { amount: 320, cupSize: 165 } },
  ],
  [
    'normal sugar above the steps',
    { 'cups.sugarSteps': 2 },
    'cups.sugarNormal',
    { key: 'rule.maximum', values: { maxValue: 2 } },
  ],
  [
    'a drink that cash cannot pay',
    { ...cashOnly, 'recipes.0.price': 201 },
    'recipes.0.price',
    { key: 'rule.overMaximumCredit' },
  ],
]
const espresso: Case[] = [
  ...ofAll,
  ...ofHotDrinks,
  [
    'a standby as hot as coffee',
    { 'boilers.coffeeTemperature': 80, 'boilers.standbyTemperature': 80 },
    'boilers.standbyTemperature',
    { key: 'rule.smallerThan', values: { other: 80 } },
  ],
]
const instant: Case[] = [
  ...ofAll,
  ...ofHotDrinks,
  [
    'a standby hotter than the water',
    { 'boilers.waterTemperature': 70, 'boilers.standbyTemperature': 75 },
    'boilers.standbyTemperature',
    { key: 'rule.smallerThan', values: { other: 70 } },
  ],
  ['two powders in one canister', { 'canisters.2.canister': 1 }, 'canisters.2.canister', { key: 'rule.unique' }],
]
const snack: Case[] = [
  ...ofAll,
  ['two products on one selection', { 'trays.4.selection': 11 }, 'trays.4.selection', { key: 'rule.unique' }],
  [
    'a product that cash cannot pay',
    { ...cashOnly, 'trays.0.price': 999 },
    'trays.0.price',
    { key: 'rule.overMaximumCredit' },
  ],
  [
    'a tray on the second motor of a double spiral',
    { 'trays.0.motor': 'double' },
    'trays.1.selection',
    { key: 'rule.spiralTaken', values: { selection: 11 } },
  ],
  [
    'a safety temperature below the cooling',
    { 'cooling.temperature': 10 },
    'cooling.safetyTemperature',
    { key: 'rule.greaterThan', values: { other: 10 } },
  ],
  [
    'a defrosting without an end',
    { 'cooling.defrostHours': 1, 'cooling.defrostMinutes': 60 },
    'cooling.defrostMinutes',
    { key: 'rule.smallerThan', values: { other: 60 } },
  ],
]
const casesOf: Record<VpDeviceType, Case[]> = {
  AZVT: espresso,
  AZNE: espresso,
  AZNS: espresso,
  CEMB: espresso,
  CUNI: instant,
  CENG: instant,
  LITHOS: snack,
  CHEX: snack,
  CELY: snack,
}

test.each(vpDeviceTypes.flatMap((type) => casesOf[type].map((one) => [type, ...one] as const)))(
  '%s refuses %s, at its parameter',
  (type, _, changes, path, rule) => {
    expect(problemsOf(type, changes)).toEqual([[path, rule]])
  },
)

const sound: [what: string, type: VpDeviceType, changes: Record<string, Json>][] = [
  ['a drink that is off shares a selection', 'AZVT', { 'recipes.3.selection': 1, 'recipes.3.enabled': false }],
  ['a jug without a cup is larger than the cup', 'AZVT', { 'recipes.1.steps': [water(300)], 'recipes.1.cup': false }],
  [
    'water of a rinse flows past the cup',
    'AZVT',
    { 'recipes.1.steps.1': { kind: 'rinse', start: 5, seconds: 9, amount: 300 } },
  ],
  ['cards pay beyond the maximum credit', 'CUNI', { 'payment.maximumCredit': 10 }],
  ['a double spiral beside a tray that is off', 'CHEX', { 'trays.0.motor': 'double', 'trays.1.enabled': false }],
  ['windows that touch', 'CELY', { 'schedule.windows': [night, { ...night, from: '06:00', to: '07:00' }] }],
]

test.each(sound)('no contradiction: %s', (_, type, changes) => {
  expect(problemsOf(type, changes)).toEqual([])
})

test('values of a wrong type are the schema’s mistake alone', () => {
  const wrong = fc.constantFrom<Json>(null, 'x', 7, [], {}, [null], [{}], true)
  const parts = fc.constantFrom(
    'display',
    'cups',
    'boilers',
    'recipes',
    'trays',
    'canisters',
    'schedule',
    'payment',
    'cooling',
  )
  fc.assert(
    fc.property(fc.constantFrom(...vpDeviceTypes), parts, wrong, (type, part, value) => {
      const schema = schemaOf(type)
      for (const document of [{ ...newVpDocument(schema), [part]: value }, {}])
        for (const { rule } of vpProblemsOf(schema, document)) expect(rule.key).toMatch(/^rule\./)
    }),
  )
})

test('valid documents stay valid while parameters change within their rules', () => {
  const change = fc.record({
    type: fc.constantFrom(...vpDeviceTypes),
    order: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    price: fc.integer({ min: 0, max: 2000 }),
    sugar: fc.integer({ min: 0, max: 8 }),
    isOn: fc.boolean(),
  })
  fc.assert(
    fc.property(change, ({ type, order, price, sugar, isOn }) => {
      const schema = schemaOf(type)
      const document = newVpDocument(schema)
      const list = 'recipes' in document ? 'recipes' : 'trays'
      const rows = document[list] as JsonObject[]
      // Entries in another order, switched off, with other prices; more sugar steps than normal sugar.
      const moved = order.reduce((all, at) => [...all.splice(at % all.length, 1), ...all], [...rows])
      const next: JsonObject = {
        ...document,
        [list]: moved.map((row, index) => ({ ...row, price, enabled: index > 0 || isOn })),
        ...(isJson(document.cups) && {
          cups: { ...document.cups, sugarSteps: Math.max(sugar, 3), sugarNormal: Math.min(sugar, 3) },
        }),
      }
      expect(vpProblemsOf(schema, next)).toEqual([])
    }),
  )
})
const isJson = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null

test('an added entry gets the next free number', () => {
  const rows = [{ selection: 1 }, { selection: 2 }, { selection: 4 }]
  expect(withFreeNumber(rows, { selection: 1, name: 'Tea' })).toEqual({ selection: 3, name: 'Tea' })
  expect(withFreeNumber([{ canister: 1 }], { canister: 1 })).toEqual({ canister: 2 })
  expect(withFreeNumber(rows, 'it')).toBe('it')
})
