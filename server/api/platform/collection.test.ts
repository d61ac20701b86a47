import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Collections, collectionNames } from '#contract/platform/collection.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { changesOf } from '#server/words/collections.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ DEFAULT_LANGUAGE: 'de' })
})
afterAll(() => api.close())

const ask = (query: { locale?: string } = {}, headers: Record<string, string> = {}) =>
  api.send('listCollections', { query, headers })
const collectionsOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).json() as Collections
const productTypes = (collections: Collections) => collections.productTypes.map(({ name }) => name)

describe('enumerations by language', () => {
  test.each(languages)('%s: every code has a word of its own', async (locale) => {
    const collections = await collectionsOf({ locale })
    for (const name of collectionNames) {
      const entries = collections[name]
      expect(entries.length, name).toBeGreaterThan(1)
      expect(new Set(entries.map(({ code }) => code)).size, name).toBe(entries.length)
      // A key without a sentence is returned as the key.
      for (const entry of entries) expect(entry.name, name).not.toMatch(/^$|\w+\.\w+$/)
    }
  })

  test('codes are those of the other calls, numbers are numbers', async () => {
    const collections = await collectionsOf({ locale: 'en' })
    expect(collections.licenceStatuses.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(collections.stockStatuses).toEqual([
      { code: 1, name: 'Sold out' },
      { code: 4, name: 'Low' },
      { code: 9, name: 'In stock' },
    ])
    expect(collections.productTypes).toContainEqual({ code: 'C', name: 'Snack' })
    expect(collections.webPaymentTypes).toContainEqual({ code: 2, name: 'Satispay' })
    expect(collections.timeZones).toContainEqual({ code: 'Europe/Rome', name: 'Rome (Central European Time)' })
    expect(collections.vpDeviceTypes.map(({ code }) => code)).not.toContain('CDUK')
  })

  test('the requested language, else the browser’s, else the deployment’s', async () => {
    const italian = ['Caldo', 'Freddo', 'Snack', 'Non alimentare']
    const german = ['Heiß', 'Kalt', 'Snack', 'Non-Food']
    expect(productTypes(await collectionsOf({ locale: 'it-CH' }))).toEqual(italian)
    expect(productTypes(await collectionsOf({}, { 'accept-language': 'xx, it;q=0.8' }))).toEqual(italian)
    expect(productTypes(await collectionsOf({ locale: 'tlh' }, { 'accept-language': 'it' }))).toEqual(german)
    expect(productTypes(await collectionsOf())).toEqual(german)
  })

  test('an invalid locale is refused', async () => {
    expect((await ask({ locale: 'x'.repeat(101) })).json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
  })
})

test('an unchanged answer is 304, and another language is a new answer', async () => {
  const first = await ask({ locale: 'it' })
  expect(first.headers['cache-control']).toBe('public, no-cache')
  const tag = first.headers.etag as string
  const again = await ask({ locale: 'it' }, { 'if-none-match': `"other", ${tag.replace('W/', '')}` })
  expect([again.statusCode, again.payload]).toEqual([304, ''])
  expect((await ask({ locale: 'en' }, { 'if-none-match': tag })).statusCode).toBe(200)
})

test('a country’s postal and VAT codes, by name', async () => {
  const countries = (await api.send('listCountries', { query: { locale: 'de' } })).json()
  const of = (code: string) => countries.find((one: { code: string }) => one.code === code)
  expect(of('CZ')).toMatchObject({ name: 'Tschechien', postalCodes: ['NNN NN'], vatCode: { abbreviation: 'DIČ' } })
  expect(of('KI')).toEqual({ code: 'KI', name: 'Kiribati', postalCodes: [], vatCode: null })
  const names = countries.map(({ name }: { name: string }) => name)
  expect(names).toEqual(names.toSorted(new Intl.Collator('de').compare))
})

test('sectors have their own address, with the same words', async () => {
  const sectors = (await api.send('listPosSectors', { query: { locale: 'fr' } })).json()
  expect(sectors).toEqual((await collectionsOf({ locale: 'fr' })).posSectors)
})

test('the current version, with its changes', async () => {
  const { releaseInfo } = await collectionsOf()
  expect(releaseInfo.version).toBe(api.config.version)
  expect(releaseInfo.changes.length).toBeGreaterThan(0)
  const text = '# Changes\n\n## 0.2.0\n\n- Two\n- Three\n\n## 0.1.0\n\n- One\n'
  expect(changesOf('0.2.0', text)).toEqual(['Two', 'Three'])
  expect(changesOf('0.3.0', text)).toEqual([])
})
