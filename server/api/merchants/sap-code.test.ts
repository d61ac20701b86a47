import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMerchant, aSapCode, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let someone: TestUser
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  someone = await aUser(api.database, 'superAdmin', [])
  admin = api.as(someone)
})
afterAll(() => api.close())

const aPlace = async () => {
  const { id: merchantId } = await aMerchant(api.database)
  return { merchantId }
}
const create = (params: { merchantId: string }, code: string, description = '') =>
  admin.createSapCode({ params, body: { code, description } })

test('a code is created, read, changed and deleted, with an entry in the change log each time', async () => {
  const params = await aPlace()
  const made = await create(params, ' K-100 ', 'Blue key')
  expect(made).toMatchObject({ ...params, code: 'K-100', description: 'Blue key', version: 1 })
  const path = { ...params, sapCodeId: made.id }
  expect(await admin.getSapCode({ params: path })).toEqual(made)
  const body = { version: 1, code: 'K-101', description: '=1+1' }
  const changed = await admin.updateSapCode({ params: path, body })
  expect(changed).toEqual({ ...made, ...body, version: 2 })
  expect(await admin.updateSapCode({ params: path, body: { ...body, version: 2 } })).toEqual(changed)
  await admin.deleteSapCode({ params: path })
  await expect(admin.getSapCode({ params: path })).rejects.toMatchObject({ status: 404, code: 'SapCodeNotFound' })
  const log = await api.database.admin(
    'select action, before, after from change_log where merchant_id = $1 order by at, id',
    [params.merchantId],
  )
  expect(log).toEqual([
    { action: 'sapCode.create', before: null, after: { code: 'K-100', description: 'Blue key' } },
    {
      action: 'sapCode.update',
      before: { code: 'K-100', description: 'Blue key' },
      after: { code: 'K-101', description: '=1+1' },
    },
    { action: 'sapCode.delete', before: { code: 'K-101', description: '=1+1' }, after: null },
  ])
})

test('a code is unique within a merchant, ignoring case; another merchant may use it too', async () => {
  const params = await aPlace()
  const elsewhere = await aPlace()
  const one = await create(params, 'Abc')
  const other = await create(params, 'Xyz')
  const refusal = { status: 409, code: 'SapCodeTaken' }
  await expect(create(params, 'aBC')).rejects.toMatchObject(refusal)
  const rename = admin.updateSapCode({
    params: { ...params, sapCodeId: other.id },
    body: { version: 1, code: 'ABC', description: '' },
  })
  await expect(rename).rejects.toMatchObject(refusal)
  expect(await create(elsewhere, one.code)).toMatchObject(elsewhere)
})

test('of two simultaneous saves the later gets the current record and its editor', async () => {
  const params = await aPlace()
  const { id: sapCodeId } = await create(params, 'K-1')
  const save = (code: string) =>
    admin.updateSapCode({ params: { ...params, sapCodeId }, body: { version: 1, code, description: '' } })
  await save('K-2')
  await expect(save('K-3')).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { code: 'K-2', version: 2 }, changedBy: 'Test superAdmin' },
  })
})

test('codes are found by code and description, and listed page by page', async () => {
  const params = await aPlace()
  for (const code of ['beta', 'Alpha', 'gamma']) await create(params, code, code === 'beta' ? 'Green 50%' : '')
  const list = async (query: object) =>
    (await admin.listSapCodes({ params, query })).items.map(({ code }: { code: string }) => code)
  expect(await list({})).toEqual(['Alpha', 'beta', 'gamma'])
  expect(await list({ size: 2, page: 2 })).toEqual(['gamma'])
  expect(await list({ ord: 'code', ordType: 'DESC' })).toEqual(['gamma', 'beta', 'Alpha'])
  expect(await list({ search: '50%' })).toEqual(['beta'])
  expect(await list({ search: '%%%' })).toEqual([])
})

test('a code of another merchant is not found', async () => {
  const params = await aPlace()
  const elsewhere = await aPlace()
  const path = { ...params, sapCodeId: await aSapCode(api.database, elsewhere.merchantId) }
  const missing = { status: 404, code: 'SapCodeNotFound' }
  await expect(admin.getSapCode({ params: path })).rejects.toMatchObject(missing)
  await expect(admin.deleteSapCode({ params: path })).rejects.toMatchObject(missing)
  const body = { version: 1, code: 'Mine', description: '' }
  await expect(admin.updateSapCode({ params: path, body })).rejects.toMatchObject(missing)
})

test('under all merchants codes are listed, and none can be created', async () => {
  const params = { merchantId: allMerchants }
  const ownPlace = await aPlace()
  const { id } = await create(ownPlace, 'Of-all')
  const { items } = await admin.listSapCodes({ params, query: { search: 'Of-all' } })
  expect(items).toMatchObject([{ id, ...ownPlace }])
  await expect(create(params, 'K-1')).rejects.toMatchObject({ status: 400, code: 'MerchantNotSelected' })
})

test.each([
  [{ code: '' }, 'code'],
  [{ code: 'x'.repeat(10_000) }, 'code'],
  [{ code: 'K', description: 'x'.repeat(201) }, 'description'],
  [{ code: 'K', merchantId: '018e0a3c-5c00-7a10-8000-00000000a001' }, ''],
  [{ code: 'K', version: 3 }, ''],
])('%o is refused', async (body, path) => {
  const answer = await api.send('createSapCode', { params: await aPlace(), body }, someone)
  expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed', errors: [{ path }] })
})
