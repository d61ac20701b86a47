import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import {
  aNoVendProfile,
  aPlanogram,
  aPlanogramLine,
  aProduct,
  aProductCode,
  pngOfOnePixel,
} from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let user: TestUser
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(user)
})
afterAll(() => api.close())

const of = (productId: string) => ({ merchantId, productId })
const bare = (code: string) => ({ code, name: code, productType: 'C' as const })
const create = (body: Record<string, unknown>, by = admin) =>
  by.createProduct({ params: { merchantId }, body: body as never })

const whole = {
  code: 'SNK-1',
  name: 'Crackers',
  description: 'Salted\ncrackers',
  productType: 'C' as const,
  vat: 22.5,
  gtin: '4006381333931',
  cost: 45,
  supplier: 'Dolci & Co.',
  packSize: 24,
  minimumPacks: 2,
  leadDays: 3,
  defaultPrice: 120,
  defaultFill: 8,
  allergens: ['gluten' as const, 'milk' as const],
  parameters: [
    { name: 'Line', value: 'Bio; new' },
    { name: 'Size', value: '40 g' },
  ],
}

test('a product is created, read, changed and deleted, with an entry in the change log each time', async () => {
  const made = await create({ ...whole, allergens: ['milk', 'gluten', 'milk'] })
  expect(made).toMatchObject({ ...whole, merchantId, version: 1, currency: 'EUR', planograms: 0, thumbnail: null })
  expect(await admin.getProduct({ params: of(made.id) })).toEqual(made)
  const changed = await admin.updateProduct({ params: of(made.id), body: { ...whole, version: 1, vat: 4 } })
  expect(changed).toEqual({ ...made, version: 2, vat: 4 })
  // The answer got lost: the same save again is no conflict.
  expect(await admin.updateProduct({ params: of(made.id), body: { ...whole, version: 1, vat: 4 } })).toEqual(changed)
  const other = admin.updateProduct({ params: of(made.id), body: { ...whole, version: 1, parameters: [] } })
  await expect(other).rejects.toMatchObject({ code: 'EditConflict', facts: { current: { vat: 4 } } })
  await admin.deleteProduct({ params: of(made.id) })
  await expect(admin.getProduct({ params: of(made.id) })).rejects.toMatchObject({ code: 'ProductNotFound' })
  const log = await api.database.admin(
    'select action, before, after from change_log where subject_id = $1 order by at',
    [made.id],
  )
  expect(log).toEqual([
    { action: 'product.create', before: null, after: whole },
    { action: 'product.update', before: whole, after: { ...whole, vat: 4 } },
    { action: 'product.delete', before: { ...whole, vat: 4 }, after: null },
  ])
})

test('a code is unique in its merchant in any case, also for simultaneous creates', async () => {
  const made = await Promise.allSettled(['Twice', 'TWICE', 'twice'].map((code) => create(bare(code))))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusal = { status: 409, code: 'ProductAlreadyExists', facts: { field: 'code' } }
  for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal)
  const elsewhere = (await aMerchant(api.database)).id
  const otherAdmin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: elsewhere, groups: 'all' }]))
  await otherAdmin.createProduct({ params: { merchantId: elsewhere }, body: bare('Twice') })
})

test.each<[string, Record<string, unknown>, string]>([
  ['an empty code', { code: ' ' }, 'code'],
  ['an unknown type', { productType: 'E' }, 'productType'],
  ['VAT with three decimals', { vat: 4.125 }, 'vat'],
  ['VAT above 100', { vat: 100.01 }, 'vat'],
  ['a GTIN with a wrong check digit', { gtin: '4006381333932' }, 'gtin'],
  ['a negative cost', { cost: -1 }, 'cost'],
  ['a cost of 2^53', { cost: 2 ** 53 }, 'cost'],
  ['an unknown allergen', { allergens: ['dust'] }, 'allergens.0'],
  [
    'two parameters of one name',
    {
      parameters: [
        { name: 'A', value: '1' },
        { name: 'a', value: '2' },
      ],
    },
    'parameters',
  ],
])('%s is refused at its field', async (_, fault, field) => {
  const errors = expect.arrayContaining([expect.objectContaining({ path: field })])
  await expect(create({ ...bare('Rules'), ...fault })).rejects.toMatchObject({ code: 'ValidationFailed', errors })
})

test('a product in planograms or no-vend profiles is not deleted, and the answer names them', async () => {
  const { database } = api
  const id = await aProduct(database, merchantId)
  const planogramId = await aPlanogram(database, merchantId, { name: 'Hall' })
  for (const selection of ['1', '2']) await aPlanogramLine(database, merchantId, planogramId, id, { selection })
  const profileId = await aNoVendProfile(database, merchantId, { name: 'School', product_ids: [id] })
  expect(await admin.getProduct({ params: of(id) })).toMatchObject({ planograms: 1 })
  const { items } = await admin.listProducts({ params: { merchantId }, query: { hasPlanograms: 'true' } })
  expect(items.map((item) => item.id)).toEqual([id])
  await expect(admin.deleteProduct({ params: of(id) })).rejects.toMatchObject({
    status: 409,
    code: 'ProductInPlanograms',
    facts: {
      planograms: 1,
      firstPlanograms: [{ id: planogramId, name: 'Hall' }],
      profiles: 1,
      firstProfiles: [{ id: profileId, name: 'School' }],
      stockPlaces: 0,
    },
  })
})

test('a product that enters a planogram while it is deleted stays in both or in none', async () => {
  const planogramId = await aPlanogram(api.database, merchantId)
  for (let round = 0; round < 10; round++) {
    const id = await aProduct(api.database, merchantId)
    const [line, deletion] = await Promise.allSettled([
      aPlanogramLine(api.database, merchantId, planogramId, id, { selection: `R${round}` }),
      admin.deleteProduct({ params: of(id) }),
    ])
    if (deletion.status === 'rejected') expect(deletion.reason).toMatchObject({ code: 'ProductInPlanograms' })
    expect([line.status, deletion.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test('a deleted product releases its codes, and a new one with an equal code takes them', async () => {
  const machine = await aMachine(api.database, merchantId)
  const byName = await aProductCode(api.database, machine, { code: 'Lungo' })
  const byCode = await aProductCode(api.database, machine, { code: 'Caffè lungo', machine_code: 'LUNGO' })
  const mapped = async () =>
    (
      await api.database.admin<{ product_id: string | null }>(
        'select product_id from product_codes where id = any($1::uuid[])',
        [[byName, byCode]],
      )
    ).map((row) => row.product_id)
  const made = await create(bare('lungo'))
  expect(await mapped()).toEqual([made.id, made.id])
  await admin.deleteProduct({ params: of(made.id) })
  expect(await mapped()).toEqual([null, null])
})

const urlOf = (kind: string, bytes: Buffer) => `data:image/${kind};base64,${bytes.toString('base64')}`
const png = urlOf('png', pngOfOnePixel)
const picture = (id: string, full: string, thumbnail = png) =>
  api.send('setProductPicture', { params: of(id), body: { picture: { full, thumbnail } } }, user)

test('a picture is stored with its thumbnail, sent as what it is, and removed', async () => {
  const id = await aProduct(api.database, merchantId)
  expect((await picture(id, png)).json()).toMatchObject({ thumbnail: png, version: 1 })
  const sent = await api.send('getProductPicture', { params: of(id) }, user)
  expect(sent.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  expect(sent.rawPayload.equals(pngOfOnePixel)).toBe(true)
  expect(await admin.setProductPicture({ params: of(id), body: { picture: null } })).toMatchObject({ thumbnail: null })
  await expect(admin.getProductPicture({ params: of(id) })).rejects.toMatchObject({ code: 'ProductNotFound' })
})

test('a picture that is not what it says, or too large, is refused and nothing is stored', async () => {
  const id = await aProduct(api.database, merchantId)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')
  for (const bytes of [svg, gif, Buffer.from('<html><script>alert(1)</script>')])
    expect((await picture(id, urlOf('png', bytes))).statusCode, bytes.toString()).toBe(415)
  expect((await picture(id, png, urlOf('webp', pngOfOnePixel))).statusCode).toBe(415)
  expect((await picture(id, urlOf('svg+xml', svg))).statusCode).toBe(400)
  const huge = Buffer.from(pngOfOnePixel)
  huge.writeUInt32BE(50_000, 16)
  huge.writeUInt32BE(50_000, 20)
  for (const [full, thumbnail] of [
    [urlOf('png', huge), png],
    [png, urlOf('png', huge)],
  ] as const) {
    const answer = await picture(id, full, thumbnail)
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { errors: [{ rule: 'rule.imagePixels' }] }])
  }
  const large = Buffer.concat([pngOfOnePixel, Buffer.alloc(1_050_000)])
  expect((await picture(id, urlOf('png', large))).statusCode).toBe(400)
  expect((await picture(id, urlOf('png', Buffer.alloc(40_000_000)))).statusCode).toBe(413)
  expect(await admin.getProduct({ params: of(id) })).toMatchObject({ thumbnail: null })
})
