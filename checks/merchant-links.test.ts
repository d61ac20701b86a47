import { expect, test } from 'vitest'
import { isTest, sources } from './sources.ts'

/** A link's search that names a merchant, unless it hands on the one of the address. */
const namesMerchant = /search: \(?\{[^{}]*(?<=[{,]\s*)merchant(: (?!search\.merchant|named|oneOf\(search)|,| \})/
/** Owns the switcher and the one function by which lists of merchants choose one. */
const switcher = 'portal/app/merchant.tsx'
/** Screens that list merchants beside each other. */
const listsOfMerchants =
  /^portal\/features\/(sales\/merchants-dashboard\/|insight\/(machines-report\/|report\/(ReportTable|KeyLink)|admin-dashboard\/|distributor-kpis\/KpiMerchants))/

const portal = sources().filter(({ path }) => path.startsWith('portal/') && !isTest(path))

test('only the switcher and lists of merchants change the merchant', () => {
  expect(portal.length).toBeGreaterThan(300)
  const naming = portal.filter(({ path, text }) => path !== switcher && namesMerchant.test(text))
  expect(naming.map(({ path }) => path)).toEqual([])
  const choosing = portal.filter(({ path, text }) => path !== switcher && text.includes('placeInMerchant('))
  expect(choosing.map(({ path }) => path).filter((path) => !listsOfMerchants.test(path))).toEqual([])
})

test('a link that changes the merchant is found', () => {
  expect(namesMerchant.test("{ to: '/devices', search: { merchant: machine.merchantId } }")).toBe(true)
  expect(namesMerchant.test("{ to: '/devices', search: { period: 'today', merchant } }")).toBe(true)
  expect(namesMerchant.test("search: { merchant: search.merchant, part: 'history' }")).toBe(false)
  expect(namesMerchant.test('search: { posIds: [machine.id] }')).toBe(false)
})
