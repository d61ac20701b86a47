import { afterAll, beforeAll, expect, test } from 'vitest'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let admin: TestUser
beforeAll(async () => {
  api = await openTestApi()
  admin = await aUser(api.database, 'superAdmin', [])
})
afterAll(() => api.close())

const paramsOf = ({ id: merchantId }: { id: string }) => ({ params: { merchantId } })
const limitless = { maximumMachines: null, maximumPeople: null }
const nothing = { features: [], productFamilies: [], ...limitless }

test('the provider sees every merchant, page by page, sorted by name ignoring case', async () => {
  const word = `q${Math.random().toString(36).slice(2, 8)}`
  for (const name of ['beta', 'Alpha', 'gamma']) await aMerchant(api.database, { name: `${name} ${word}` })
  const list = (query: object) => api.as(admin).listMerchants({ query: { search: word, ...query } })
  const first = await list({ size: 2 })
  expect(first).toMatchObject({ total: 3, capped: false })
  expect(first.items.map(({ name }) => name)).toEqual([`Alpha ${word}`, `beta ${word}`])
  expect((await list({ size: 2, page: 2 })).items.map(({ name }) => name)).toEqual([`gamma ${word}`])
  expect((await list({ ord: 'name', ordType: 'DESC' })).items[0]?.name).toBe(`gamma ${word}`)
})

test('a percent sign in a search is literal', async () => {
  await aMerchant(api.database, { name: 'A hundred' })
  const { items } = await api.as(admin).listMerchants({ query: { search: '%%%' } })
  expect(items).toEqual([])
})

test('a merchant counts its machines without the hidden ones', async () => {
  const merchant = await aMerchant(api.database, { name: 'Counted merchant' })
  await aMachine(api.database, merchant.id)
  await aMachine(api.database, merchant.id, { columns: { hidden: true } })
  const { items } = await api.as(admin).listMerchants({ query: { search: 'Counted merchant' } })
  expect(items).toMatchObject([{ id: merchant.id, machines: 1 }])
})

test('a new merchant has every feature switched off', async () => {
  const merchant = await aMerchant(api.database)
  await api.database.admin('delete from merchant_features where merchant_id = $1', [merchant.id])
  expect(await api.as(admin).getSuperAdminSettings(paramsOf(merchant))).toEqual({ ...nothing, version: 1 })
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  expect(await api.as(person).listMyMerchants({})).toMatchObject([{ features: [], productFamilies: [] }])
})

test('an enabled feature is available to the merchant’s users at once, and the change is logged', async () => {
  const merchant = await aMerchant(api.database)
  await api.database.admin('delete from merchant_features where merchant_id = $1', [merchant.id])
  const limits = { features: ['vending', 'network'] as const, productFamilies: ['cashlogy'] as const, ...limitless }
  const body = { ...limits, features: [...limits.features], productFamilies: [...limits.productFamilies], version: 1 }
  expect(await api.as(admin).updateSuperAdminSettings({ ...paramsOf(merchant), body })).toEqual({
    ...limits,
    version: 2,
  })
  const person = await aUser(api.database, 'merchantUser', [{ merchantId: merchant.id, groups: 'all' }])
  const { features: on, productFamilies: families } = limits
  expect(await api.as(person).listMyMerchants({})).toMatchObject([{ features: on, productFamilies: families }])
  const log = await api.database.admin('select action, before, after from change_log where merchant_id = $1', [
    merchant.id,
  ])
  expect(log).toMatchObject([{ action: 'merchant.features', before: nothing, after: limits }])
})

test('of two simultaneous saves the later gets the current record and its editor', async () => {
  const merchant = await aMerchant(api.database)
  const save = (version: number, edited: (typeof features)[number][]) =>
    api.as(admin).updateSuperAdminSettings({
      ...paramsOf(merchant),
      body: { ...nothing, features: edited, version },
    })
  await save(1, ['network'])
  await expect(save(1, ['vending'])).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { features: ['network'], version: 2 }, changedBy: 'Test superAdmin' },
  })
  expect(await save(2, ['vending'])).toMatchObject({ features: ['vending'], version: 3 })
})

test.each([
  { ...nothing, features: ['flying'], version: 1 },
  { ...nothing, features: ['network', 'network'], version: 1 },
  { ...nothing, productFamilies: ['acme'], version: 1 },
  { ...nothing, version: 0 },
  { features: [], version: 1 },
  { ...nothing, version: 1, name: 'x' },
  { ...nothing, maximumMachines: 0, version: 1 },
  { ...nothing, maximumPeople: 1.5, version: 1 },
  { ...nothing, maximumPeople: '7', version: 1 },
])('settings are refused: %o', async (body) => {
  const merchant = await aMerchant(api.database)
  const answer = await api.send('updateSuperAdminSettings', { ...paramsOf(merchant), body }, admin)
  expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
})

test('settings belong to one merchant, never to all merchants', async () => {
  const missing = { code: 'MerchantNotFoundException' }
  const params = { merchantId: allMerchants }
  await expect(api.as(admin).getSuperAdminSettings({ params })).rejects.toMatchObject(missing)
  const body = { ...nothing, version: 1 }
  await expect(api.as(admin).updateSuperAdminSettings({ params, body })).rejects.toMatchObject(missing)
})

test('calls of a feature are refused for merchants without it, and cover only merchants with it', async () => {
  const able = await aMerchant(api.database, { name: 'Able' })
  const unable = await aMerchant(api.database, {
    name: 'Unable',
    features: features.filter((f) => f !== 'transactionDetails'),
  })
  const ours = await aMachine(api.database, able.id)
  const otherMachine = await aMachine(api.database, unable.id)
  const sale = await aSale(api.database, ours)
  const unseen = await aSale(api.database, otherMachine)
  const both = [able, unable].map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
  const person = api.as(await aUser(api.database, 'merchantAdmin', both))
  const get = (merchantId: string, transactionId: string) =>
    person.getTransaction({ params: { merchantId, transactionId } })
  expect(await get(able.id, sale)).toMatchObject({ id: sale })
  await expect(get(unable.id, unseen)).rejects.toMatchObject({ code: 'FeatureNotEnabled', status: 403 })
  expect(await get(allMerchants, sale)).toMatchObject({ id: sale })
  await expect(get(allMerchants, unseen)).rejects.toMatchObject({ code: 'TransactionNotFound' })
})

test('the vocabulary has the ten features of the specification, and warehouses', () => {
  expect(features).toHaveLength(11)
  expect(productFamilies).toEqual(['cashlogy', 'gettone'])
})

test('features of a newer version are left out and kept: an older version runs beside it, and after it', async () => {
  const { id } = await aMerchant(api.database)
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  await api.database.admin(
    `update merchant_features set features = '{vending,ofTomorrow}', product_families = '{tomorrow}' where merchant_id = $1`,
    [id],
  )
  expect(await api.as(person).listMyMerchants({})).toMatchObject([{ features: ['vending'], productFamilies: [] }])
  const provider = api.as(admin)
  const params = { merchantId: id }
  const { version } = await provider.getSuperAdminSettings({ params })
  const body = { features: ['network' as const], productFamilies: [], ...limitless, version }
  await provider.updateSuperAdminSettings({ params, body })
  const [row] = await api.database.admin(
    'select features, product_families from merchant_features where merchant_id = $1',
    [id],
  )
  expect(row).toEqual({ features: ['network', 'ofTomorrow'], product_families: ['tomorrow'] })
})
