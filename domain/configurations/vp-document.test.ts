import { expect, test } from 'vitest'
import { canonicalJson, type JsonObject } from '#contract/configurations/vp-document.ts'
import { vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { vpProblemsOf } from './vp-check.ts'
import { vpChangesBetween, vpSyncOf, vpValueAt, withVpValue } from './vp-document.ts'
import { newVpDocument, vpSchemaOf, vpSchemaVersion } from './vp-schema.ts'

const vpSchemas = [...new Set(vpDeviceTypes.map((type) => vpSchemaOf(type)))].filter((one) => one !== undefined)

test.each(vpSchemas.map((schema) => [schema.title, schema] as const))(
  'a new document of the schema %s is valid, and its parameters have bounds and defaults',
  (_, schema) => {
    const document = newVpDocument(schema)
    expect(vpProblemsOf(schema, document)).toEqual([])
    expect(JSON.parse(canonicalJson(document))).toEqual(document)
  },
)

test('only the shipped version of a model’s schema is known', () => {
  expect(vpSchemaVersion('AZVT', vpSchemaOf('AZVT')?.['x-version'] ?? '')).toBeDefined()
  expect(vpSchemaVersion('AZVT', '1.0')).toBeUndefined()
  expect(vpSchemaOf('CDUK')).toBeUndefined()
})

test('problems are named by path and rule', () => {
  const schema = vpSchemaOf('AZVT')
  if (!schema) throw new Error('There are schemas')
  const wrong = (path: string, value: JsonObject[string]) =>
    vpProblemsOf(schema, withVpValue(newVpDocument(schema), path, value)).map((one) => [one.path, one.rule.key])
  expect(wrong('boilers.coffeeTemperature', 120)).toEqual([['boilers.coffeeTemperature', 'rule.maximum']])
  expect(wrong('boilers.coffeeTemperature', '92')).toEqual([['boilers.coffeeTemperature', 'rule.number']])
  expect(wrong('boilers.coffeeTemperature', 92.3)).toEqual([['boilers.coffeeTemperature', 'rule.multiple']])
  expect(wrong('boilers.turbo', 1)).toEqual([['boilers.turbo', 'rule.unknownParameter']])
  expect(wrong('recipes.3.steps.0.kind', 'whip')).toEqual([['recipes.3.steps.0.kind', 'rule.choice']])
  expect(wrong('display.languages', ['it', 'it'])).toEqual([['display.languages', 'rule.unique']])
  expect(wrong('cleaning.cleaningTime', '25:00')).toEqual([['cleaning.cleaningTime', 'rule.format']])
})

test('the canonical text is the same in any order of keys', () => {
  expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: true })).toBe('{"a":true,"b":[1,{"c":null,"d":"x"}]}')
})

test('changes are listed by path, and lists of plain values are one value', () => {
  const before = { display: { languages: ['it'], brightness: 80 }, gone: { x: 1 } }
  const after = { display: { languages: ['it', 'en'], brightness: 80 }, recipes: [{ name: 'Tea' }] }
  expect(vpChangesBetween(before, after)).toEqual([
    { path: 'display.languages', before: ['it'], after: ['it', 'en'] },
    { path: 'recipes.0.name', before: undefined, after: 'Tea' },
    { path: 'gone.x', before: 1, after: undefined },
  ])
  expect(vpChangesBetween(before, structuredClone(before))).toEqual([])
  expect(vpValueAt(after, 'recipes.0.name')).toBe('Tea')
  expect(vpValueAt(after, 'recipes.4.name')).toBeUndefined()
})

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute))
const stand = { saved: 'b', sent: 'b', appliedAt: at(1), wasConfirmed: false, reported: { hash: 'b', at: at(2) } }

test('a machine is in sync only on its own report of the saved document', () => {
  expect(vpSyncOf(stand)).toEqual({ sync: 'sync', editedOn: null })
  expect(vpSyncOf({ ...stand, sent: null })).toEqual({ sync: 'none', editedOn: null })
  expect(vpSyncOf({ ...stand, reported: null })).toEqual({ sync: 'pending', editedOn: 'portal' })
  // Applied by its own word, and not reported since.
  expect(vpSyncOf({ ...stand, reported: { hash: 'a', at: at(0) } })).toEqual({ sync: 'pending', editedOn: 'portal' })
})

test('a difference after the machine had the document was caused at the machine; a newer save was not', () => {
  const edited = { ...stand, reported: { hash: 'x', at: at(5) } }
  expect(vpSyncOf(edited)).toEqual({ sync: 'pending', editedOn: 'device' })
  expect(vpSyncOf({ ...edited, appliedAt: null, wasConfirmed: true })).toMatchObject({ editedOn: 'device' })
  expect(vpSyncOf({ ...edited, appliedAt: null })).toMatchObject({ editedOn: 'portal' })
  expect(vpSyncOf({ ...stand, saved: 'c' })).toEqual({ sync: 'pending', editedOn: 'portal' })
})
