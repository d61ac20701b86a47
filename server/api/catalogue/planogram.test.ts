import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aPrice, aStock } from '#testkit/machines/machine-data.ts'
import { aPlanogram, aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (planogramId: string) => ({ merchantId, planogramId })
const line = (selection: string, with_: object = {}) => ({
  selection,
  productId: null as string | null,
  capacity: 10,
  warningLevel: 2,
  refillValue: 10,
  prices: { 1: 150 },
  ...with_,
})
const bare = (name: string, lines: object[] = []) => ({ name, planogramType: 'B', lines }) as never
const create = (body: object, by = admin) => by.createPlanogram({ params: { merchantId }, body: body as never })
const refused = (code: string) => expect.objectContaining({ code })

test('a planogram is created, read, changed and deleted with its selections, each time with an entry in the change log', async () => {
  const productId = await aProduct(api.database, merchantId)
  const whole = {
    name: 'Cold drinks',
    description: 'Of schools',
    planogramType: 'B' as const,
    lines: [line('12', { productId, prices: { 1: 150, 6: 140 } }), line('11')],
  }
  const made = await create(whole)
  expect(made).toMatchObject({ ...whole, version: 1, selections: 2, products: 1, machines: 0, currency: 'EUR' })
  expect(await admin.getPlanogram({ params: of(made.id) })).toEqual(made)
  const edited = { ...whole, lines: [line('11', { capacity: 12 }), line('13')] }
  const changed = await admin.updatePlanogram({ params: of(made.id), body: { ...edited, version: 1 } })
  expect(changed).toMatchObject({ ...edited, version: 2, products: 0 })
  await admin.deletePlanogram({ params: of(made.id) })
  await expect(admin.getPlanogram({ params: of(made.id) })).rejects.toEqual(refused('PlanogramNotFound'))
  const log = await api.database.admin(
    'select action, before, after from change_log where subject_id = $1 order by at',
    [made.id],
  )
  expect(log).toEqual([
    { action: 'planogram.create', before: null, after: whole },
    { action: 'planogram.update', before: whole, after: edited },
    { action: 'planogram.delete', before: edited, after: null },
  ])
})

test('the list filters by type, product and machines, and leaves selections out', async () => {
  const merchant = (await aMerchant(api.database)).id
  const by = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant, groups: 'all' }]))
  const productId = await aProduct(api.database, merchant)
  const of = (name: string, planogramType: 'A' | 'B', lines: object[]) =>
    by.createPlanogram({ params: { merchantId: merchant }, body: { name, planogramType, lines } as never })
  const hot = await of('Hot', 'A', [line('1', { productId }), line('2', { productId })])
  await of('Cold', 'B', [])
  await aMachine(api.database, merchant, { columns: { planogram_id: hot.id, hidden: true } })
  const names = async (query: object) =>
    (await by.listPlanograms({ params: { merchantId: merchant }, query: query as never })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['Cold', 'Hot'])
  expect(await names({ planogramTypes: ['B'] })).toEqual(['Cold'])
  expect(await names({ productId })).toEqual(['Hot'])
  expect(await names({ hasMachines: 'true' })).toEqual(['Hot'])
  const [row] = (await by.listPlanograms({ params: { merchantId: merchant }, query: { search: 'hot' } })).items
  expect(row).toMatchObject({ id: hot.id, selections: 2, products: 1, machines: 1 })
  expect(row).not.toHaveProperty('lines')
})

test('a name is unique in its merchant in any spelling, also for simultaneous creations', async () => {
  const made = await Promise.allSettled(['Twice', 'TWICE'].map((name) => create(bare(name))))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(create(bare('twice'))).rejects.toMatchObject({
    status: 409,
    code: 'PlanogramAlreadyExists',
    facts: { field: 'name' },
  })
})

test('a broken selection is refused and names its field', async () => {
  const by = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const wrongs: [string, object[]][] = [
    ['lines.0.warningLevel', [line('11', { capacity: 4, warningLevel: 5, refillValue: 4 })]],
    ['lines.0.refillValue', [line('11', { refillValue: 11 })]],
    ['lines.0.capacity', [line('11', { capacity: 0, warningLevel: 0, refillValue: 0 })]],
    ['lines.0.capacity', [line('11', { capacity: 'many' })]],
    ['lines.1.selection', [line('11'), line('11')]],
    ['lines.0.selection', [line('')]],
    ['lines.0.selection', [line('=1+1')]],
    ['lines.0.prices.1', [line('11', { prices: { 1: -1 } })]],
    ['lines.0.prices.1', [line('11', { prices: { 1: 2 ** 53 } })]],
    // Three decimals of a euro, and one of a Chilean peso.
    ['lines.0.prices.1', [line('11', { prices: { 1: 123.4 } })]],
    ['lines.0.prices', [line('11', { prices: { 9: 100 } })]],
    ['lines.0.productId', [line('11', { productId: 'Cola' })]],
    ['lines', Array.from({ length: 501 }, (_, at) => line(String(at + 1)))],
  ]
  for (const [path, lines] of wrongs) {
    const answer = await api.send('createPlanogram', { params: { merchantId }, body: bare(randomUUID(), lines) }, by)
    expect(answer.json(), path).toMatchObject({ status: 400, code: 'ValidationFailed' })
    const { errors } = answer.json() as { errors: { path: string }[] }
    expect(new Set(errors.map((error) => error.path))).toEqual(new Set([path]))
  }
})

test('10,000 selections are too much for one call', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => line(String(at + 1)))
  await expect(create(bare(randomUUID(), lines))).rejects.toMatchObject({ status: 413, code: 'PayloadTooLarge' })
})

test('products of selections are the merchant’s own', async () => {
  const other = (await aMerchant(api.database)).id
  const foreign = await aProduct(api.database, other)
  const both = api.as(
    await aUser(api.database, 'merchantAdmin', [
      { merchantId, groups: 'all' },
      { merchantId: other, groups: 'all' },
    ]),
  )
  for (const by of [admin, both])
    for (const productId of [foreign, randomUUID()])
      await expect(create(bare(randomUUID(), [line('11', { productId })]), by)).rejects.toEqual(
        refused('ProductNotFound'),
      )
})

test('a planogram with a product that is deleted at the same moment answers ProductNotFound', async () => {
  for (let round = 0; round < 5; round++) {
    const productId = await aProduct(api.database, merchantId)
    const remove = async () => {
      const statement = 'delete from products where merchant_id = $1 and id = $2'
      await api.database.admin(statement, [merchantId, productId]).catch(() => undefined)
    }
    const [made] = await Promise.allSettled([create(bare(randomUUID(), [line('11', { productId })])), remove()])
    const left = await api.database.admin('select 1 from products where id = $1', [productId])
    if (made.status === 'fulfilled') expect(left).toHaveLength(1)
    else expect(made.reason).toMatchObject({ code: 'ProductNotFound' })
  }
})

test('of two simultaneous edits the later gets the current planogram, and a repeated save is no conflict', async () => {
  const { id } = await create(bare('Contested', [line('11')]))
  const edit = (lines: object[]) =>
    admin.updatePlanogram({ params: of(id), body: { ...(bare('Contested', lines) as object), version: 1 } as never })
  await edit([line('11', { capacity: 20 })])
  await expect(edit([line('11'), line('12')])).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { version: 2, lines: [{ selection: '11', capacity: 20 }] }, changedBy: 'Test merchantAdmin' },
  })
  expect(await edit([line('11', { capacity: 20 })])).toMatchObject({ version: 2 })
})

test('a planogram in use is not deleted, and names the machines that the reader sees', async () => {
  const planogramId = await aPlanogram(api.database, merchantId)
  const group = await aGroup(api.database, merchantId)
  const visible = await aMachine(api.database, merchantId, { groupId: group, columns: { planogram_id: planogramId } })
  await aMachine(api.database, merchantId, { columns: { planogram_id: planogramId } })
  const limited = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [group] }]))
  await expect(limited.deletePlanogram({ params: of(planogramId) })).rejects.toMatchObject({
    status: 409,
    code: 'PlanogramInUse',
    facts: { machines: 1, firstMachines: [{ id: visible.id }], hasOthers: true },
  })
  await api.database.admin('update machines set planogram_id = null where planogram_id = $1', [planogramId])
  await limited.deletePlanogram({ params: of(planogramId) })
})

test('under all merchants a planogram is created for a chosen merchant only', async () => {
  const params = { merchantId: allMerchants }
  await expect(admin.createPlanogram({ params, body: bare('Anywhere') })).rejects.toEqual(
    refused('MerchantNotSelected'),
  )
})

describe('a machine’s report', () => {
  const reporting = async () => {
    const machine = await aMachine(api.database, merchantId, { columns: { name: `Hall ${randomUUID()}` } })
    const cola = await aProduct(api.database, merchantId, { name: 'Cola' })
    const code = `COLA ${randomUUID()}`
    await aProductCode(api.database, machine, { code, product_id: cola })
    await aStock(api.database, machine, { selection: '12', product: code, capacity: 8, warning_level: 3 })
    await aStock(api.database, machine, { selection: '2', product: 'Unknown tea', capacity: null, level: 4 })
    await aStock(api.database, machine, { selection: '30', gone: true })
    await aPrice(api.database, machine, { selection: '12', product: code, price: 120 })
    await aPrice(api.database, machine, { selection: '12', product: code, price: 110, price_table: 6 })
    await aPrice(api.database, machine, { selection: '7', product: code, price: 90 })
    return { machine, cola, params: { merchantId, posId: machine.id } }
  }

  test('becomes a draft with its selections, mapped products, capacities and prices, which can be saved', async () => {
    const { machine, cola, params } = await reporting()
    const draft = await admin.draftPlanogram({ params })
    expect(draft).toMatchObject({ planogramType: 'B', description: null })
    expect(draft.lines).toEqual([
      { selection: '2', productId: null, capacity: 10, warningLevel: 2, refillValue: 10, prices: {} },
      { selection: '7', productId: cola, capacity: 10, warningLevel: 2, refillValue: 10, prices: { 1: 90 } },
      { selection: '12', productId: cola, capacity: 8, warningLevel: 3, refillValue: 8, prices: { 1: 120, 6: 110 } },
    ])
    const made = await create(draft)
    const { lines } = await admin.comparePlanogram({ params: { ...of(made.id), posId: machine.id } })
    // The merchant does not know the tea.
    expect(lines.map(({ selection, differences }) => [selection, differences])).toEqual([
      ['2', ['product']],
      ['7', []],
      ['12', []],
    ])
  })

  test('of a hot drinks machine is a hot planogram without the total of all drinks', async () => {
    const machine = await aMachine(api.database, merchantId)
    await aStock(api.database, machine, { selection: '1', product: 'Espresso' })
    await aStock(api.database, machine, { selection: 'HOT', product: null, stock_type: 1, capacity: 500 })
    const draft = await admin.draftPlanogram({ params: { merchantId, posId: machine.id } })
    expect(draft).toMatchObject({ planogramType: 'A', lines: [{ selection: '1' }] })
  })

  test('is compared with a planogram, differences first', async () => {
    const { machine, cola } = await reporting()
    const { id } = await create(
      bare(randomUUID(), [
        line('1'),
        line('7', { productId: cola, capacity: 5, warningLevel: 1, refillValue: 5, prices: { 1: 90, 2: 80 } }),
        line('12', { capacity: 9, warningLevel: 1, refillValue: 9, prices: { 6: 120 } }),
      ]),
    )
    const { lines, currency } = await admin.comparePlanogram({ params: { ...of(id), posId: machine.id } })
    expect(currency).toBe('EUR')
    expect(lines.map(({ selection, differences }) => [selection, differences])).toEqual([
      ['1', ['onlyPlanned']],
      ['2', ['onlyReported']],
      ['12', ['product', 'capacity', 'price']],
      ['7', []],
    ])
    expect(lines.find(({ selection }) => selection === '12')?.reported).toMatchObject({ product: 'Cola', capacity: 8 })
  })

  test('of another merchant is not compared', async () => {
    const other = (await aMerchant(api.database)).id
    const machine = await aMachine(api.database, other)
    const grants = [merchantId, other].map((id) => ({ merchantId: id, groups: 'all' as const }))
    const both = api.as(await aUser(api.database, 'merchantAdmin', grants))
    const planogramId = await aPlanogram(api.database, merchantId)
    const params = { merchantId: allMerchants, planogramId, posId: machine.id }
    await expect(both.comparePlanogram({ params })).rejects.toEqual(refused('MachineNotFound'))
  })
})

test('the PDF is a document under the planogram’s name, in the reader’s language', async () => {
  const productId = await aProduct(api.database, merchantId, { name: 'Čaj se smetanou – Șuncă' })
  const lines = Array.from({ length: 90 }, (_, at) => line(String(at + 1), { productId }))
  const { id } = await create(bare('Náměstí', lines))
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const answer = await api.send('getPlanogramPdf', { params: of(id), query: { language: 'it' } }, user)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename=Namesti.pdf; filename*=UTF-8''N%C3%A1m%C4%9Bst%C3%AD.pdf`,
  })
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(answer.rawPayload.length).toBeGreaterThan(10_000)
})

test('products are listed by code, and thumbnails only for products with a picture', async () => {
  const merchant = (await aMerchant(api.database)).id
  const by = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant, groups: 'all' }]))
  const thumbnail = 'data:image/png;base64,iVBORw0KGgo='
  const first = await aProduct(api.database, merchant, { code: 'b2', name: 'Tea', thumbnail })
  const second = await aProduct(api.database, merchant, {
    code: 'A1',
    name: 'Coffee',
    default_price: 120,
    default_fill: 8,
  })
  const params = { merchantId: merchant }
  expect(await by.listProductChoices({ params })).toEqual({
    items: [
      { id: second, code: 'A1', name: 'Coffee', defaultPrice: 120, defaultFill: 8 },
      { id: first, code: 'b2', name: 'Tea', defaultPrice: null, defaultFill: null },
    ],
    total: 2,
    capped: false,
  })
  expect(await by.listThumbnails({ params, query: { productIds: [first, second] } })).toEqual([
    { id: first, thumbnail },
  ])
})
