import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostPostalPlaces } from '#contract/platform/postal-code.ts'
import { importPostalCodes } from '#server/import/postal-codes.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aPostalCode } from '#testkit/machines/machine-data.ts'

let api: TestApi
let person: TestUser
beforeAll(async () => {
  api = await openTestApi()
  const { id } = await aMerchant(api.database)
  person = await aUser(api.database, 'merchantUser', [{ merchantId: id, groups: 'all' }])
  for (const [code, place] of [
    ['20121', 'Milano'],
    ['20122', 'Milano'],
    ['20900', 'Monza'],
  ])
    await aPostalCode(api.database, { compact: code, code, place, province: place })
  await aPostalCode(api.database, {
    country: 'CZ',
    compact: '11000',
    code: '110 00',
    place: 'Praha 1',
    province: 'Praha',
  })
  await aPostalCode(api.database, {
    country: 'GB',
    compact: 'SW1A',
    code: 'SW1A',
    place: 'Westminster',
    province: 'England',
  })
})
afterAll(() => api.close())

const complete = (country: string, code: string) => api.as(person).completePostalCode({ params: { country, code } })
const placesOf = async (country: string, code: string) =>
  (await complete(country, code)).map(({ code: postalCode, place }) => `${postalCode} ${place}`)

test('a code finds its places, in any spelling', async () => {
  expect(await complete('IT', '20121')).toEqual([
    { country: 'IT', code: '20121', place: 'Milano', province: 'Milano', latitude: 41.9, longitude: 12.5 },
  ])
  expect(await placesOf('CZ', '110 00')).toEqual(['110 00 Praha 1'])
  expect(await placesOf('cz', '11000')).toEqual(['110 00 Praha 1'])
  expect(await placesOf('GB', 'sw1a 1aa')).toEqual(['SW1A Westminster'])
})

test('from 3 characters on, places are suggested by the start of their code', async () => {
  expect(await placesOf('IT', '201')).toEqual(['20121 Milano', '20122 Milano'])
  expect(await placesOf('IT', '2090')).toEqual(['20900 Monza'])
})

test('the exact code is first, and the answer has 20 places or fewer', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, index) => `QA\t77${String(index).padStart(2, '0')}\tPlace ${index}${'\t'.repeat(9)}`,
  )
  await importPostalCodes(api.database.adminUrl, Readable.from([...rows, `QA\t77\tDoha${'\t'.repeat(9)}`]))
  const places = await placesOf('QA', '77')
  expect(places).toHaveLength(mostPostalPlaces)
  expect(places[0]).toBe('77 Doha')
})

test('an unknown code is not recognized', async () => {
  for (const code of ['99999', '999'])
    await expect(complete('IT', code)).rejects.toMatchObject({ code: 'PostalCodeNotFound', status: 404 })
  await expect(complete('DE', '10115')).rejects.toMatchObject({ code: 'PostalCodeNotFound' })
})

test.each([
  ['IT', '20'],
  ['IT', '2012A'],
  ['IT', '201211'],
  ['IT', '%%%'],
  ['IT', "'; drop"],
  ['GB', '123'],
  ['QA', '_'],
])('%s: %s is not a postal code', async (country, code) => {
  await expect(complete(country, code)).rejects.toMatchObject({
    code: 'ValidationFailed',
    status: 400,
    errors: [{ path: 'code', rule: 'rule.postalCode' }],
  })
})

test('an unknown country is refused', async () => {
  await expect(complete('XX', '20121')).rejects.toMatchObject({
    code: 'ValidationFailed',
    errors: [{ path: 'country' }],
  })
})

const line = (country: string, code: string, place: string) =>
  `${country}\t${code}\t${place}\tRegion\t01\tProvince\t02\t\t\t50\t10\t4`

test('an import replaces a country’s codes, changes nothing when repeated, and does not affect other countries', async () => {
  const lines = [
    line('PT', '1000-001', 'Lisboa'),
    line('PT', '1000-001', 'Lisboa'),
    line('PT', '4000-001', 'Porto'),
    'no line',
    '',
  ]
  const run = (these: string[]) => importPostalCodes(api.database.adminUrl, Readable.from(these))
  expect(await run(lines)).toEqual({ countries: [{ country: 'PT', places: 2 }], refused: 1 })
  expect(await run(lines)).toEqual({ countries: [{ country: 'PT', places: 2 }], refused: 1 })
  expect(await placesOf('PT', '1000')).toEqual(['1000-001 Lisboa'])
  expect(await run([line('PT', '4000-001', 'Porto')])).toMatchObject({ countries: [{ places: 1 }] })
  await expect(complete('PT', '1000-001')).rejects.toMatchObject({ code: 'PostalCodeNotFound' })
  expect(await placesOf('CZ', '11000')).toEqual(['110 00 Praha 1'])
})

test('an interrupted import, or a file in another format, changes nothing', async () => {
  await importPostalCodes(api.database.adminUrl, Readable.from([line('SK', '811 01', 'Bratislava')]))
  async function* broken() {
    yield line('SK', '040 01', 'Košice')
    throw new Error('the disk is gone')
  }
  await expect(importPostalCodes(api.database.adminUrl, broken())).rejects.toThrow('the disk is gone')
  const nothing = await importPostalCodes(api.database.adminUrl, Readable.from(['a,b,c', '{}']))
  expect(nothing).toEqual({ countries: [], refused: 2 })
  expect(await placesOf('SK', '811')).toEqual(['811 01 Bratislava'])
})
