import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import { columnIdsOf } from '#contract/export/export-lists.ts'
import { allergens, ProductType } from '#contract/vocabulary/catalogue/product.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aProduct, aProductCode, pngOfOnePixel } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ EXPORT_MAX_RESULTS: '500' })
})
afterAll(() => api.close())

interface Shop {
  merchantId: string
  user: TestUser
}
async function aShop(with_: Record<string, unknown> = {}): Promise<Shop> {
  const { id } = await aMerchant(api.database, with_)
  return { merchantId: id, user: await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]) }
}

const fileOf = (content: string | Uint8Array) => ({
  name: 'products.csv',
  data: Buffer.from(content).toString('base64'),
})
const kind = 'products'
type Content = string | Uint8Array
const preview = ({ merchantId, user }: Shop, content: Content) =>
  api.as(user).previewImport({ params: { merchantId }, body: { kind, file: fileOf(content) } })
const importing = (
  { merchantId, user }: Shop,
  content: Content,
  { mapping, digest }: Pick<Awaited<ReturnType<typeof preview>>, 'mapping' | 'digest'>,
) => api.as(user).createImport({ params: { merchantId }, body: { kind, file: fileOf(content), mapping, digest } })
const products = async ({ merchantId, user }: Shop) =>
  (await api.as(user).listProducts({ params: { merchantId }, query: { ord: 'code' } })).items

const line = (longest: number) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: longest / 4 }),
    fc
      .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ';', ',', '\\', '\t', ' ', '1', 'a', '_x000D_', '%', '€'), {
        minLength: 1,
        maxLength: longest / 10,
      })
      .map((parts) => parts.join('')),
  )
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null })
const aNewProduct = fc
  .record({
    code: line(40),
    name: line(120),
    description: orNull(fc.array(line(120), { maxLength: 3 }).map((lines) => lines.join('\n'))),
    productType: fc.constantFrom(...ProductType.options),
    vat: orNull(fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)),
    gtin: fc.constantFrom(null, '4006381333931', '00000017'),
    cost: orNull(fc.integer({ min: 0, max: 1_000_000 })),
    supplier: orNull(line(120)),
    packSize: orNull(fc.integer({ min: 1, max: 10_000 })),
    minimumPacks: orNull(fc.integer({ min: 1, max: 10_000 })),
    leadDays: orNull(fc.integer({ min: 0, max: 365 })),
    defaultPrice: orNull(fc.integer({ min: 0, max: 1_000_000 })),
    defaultFill: orNull(fc.integer({ min: 0, max: 10_000 })),
    allergens: fc.subarray([...allergens]),
    parameters: fc.uniqueArray(fc.record({ name: line(40), value: line(120) }), {
      selector: ({ name }) => name.trim().toLowerCase(),
      maxLength: 4,
    }),
  })
  .map((values) => NewProduct.safeParse(values).data)
  .filter((product) => product !== undefined)

describe.each<['csv' | 'xlsx', Language, string]>([
  ['csv', 'en', 'EUR'],
  ['csv', 'it', 'EUR'],
  ['csv', 'de', 'CLP'],
  ['xlsx', 'en', 'CLP'],
  ['xlsx', 'fr', 'EUR'],
])('%s in %s with %s', (format, language, currency) => {
  test('an exported file changes nothing when it is imported', async () => {
    const shop = await aShop({ currency })
    const { merchantId, user } = shop
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(aNewProduct, { minLength: 20, maxLength: 60, selector: ({ code }) => code.toLowerCase() }),
        async (made) => {
          await api.database.admin('delete from products where merchant_id = $1', [merchantId])
          await api.database.admin(
            `insert into products (merchant_id, id, created_at, code, name, description, product_type, vat, gtin, cost, supplier, pack_size,
               minimum_packs, lead_days, default_price, default_fill, allergens, parameters)
             select $1, gen_random_uuid(), now(), made.* from jsonb_to_recordset($2::jsonb) as made (code text, name text, description text,
               "productType" text, vat numeric, gtin text, cost bigint, supplier text, "packSize" int, "minimumPacks" int, "leadDays" int,
               "defaultPrice" bigint, "defaultFill" int, allergens text[], parameters jsonb)`,
            [merchantId, JSON.stringify(made)],
          )
          const order = { list: 'products', format, language, columns: columnIdsOf('products'), filter: {} }
          const file = await api.send('exportShown', { params: { merchantId }, body: order }, user)
          expect(file.statusCode, file.payload).toBe(200)
          const previewed = await preview(shop, file.rawPayload)
          const expected = { created: 0, updated: 0, same: made.length, refused: 0, missing: [] }
          expect(previewed.rows.filter(({ outcome }) => outcome !== 'same')).toEqual([])
          expect(previewed).toMatchObject(expected)
        },
      ),
      // A counterexample is small enough without shrinking: the first differing row is shown.
      { numRuns: 12, endOnFailure: true },
    )
  })
})

test('a preview writes nothing; an import creates and changes what the preview showed, with a log entry each', async () => {
  const shop = await aShop()
  const old = await aProduct(api.database, shop.merchantId, { code: 'kit', name: 'KitKat', cost: 40 })
  await aProduct(api.database, shop.merchantId, { code: 'WAT', name: 'Water', product_type: 'B' })
  const codeId = await aProductCode(api.database, await aMachine(api.database, shop.merchantId), { code: 'Twix' })
  const file = [
    'Codice;Nome;Tipo;Costo (EUR);IVA (%);Allergeni;Parametri;Scaffale',
    'KIT;KitKat;snack;0,45;22;latte, Glutine;Linea=Dolci',
    'wat;Water;B;;;;;',
    'twix;Twix;Snack;1.20;10,5;;;A1',
  ].join('\r\n')
  const previewed = await preview(shop, file)
  expect(previewed).toMatchObject({ created: 1, updated: 2, same: 0, refused: 0 })
  expect(Object.values(previewed.mapping)).not.toContain(7)
  expect(previewed.rows[0]).toMatchObject({
    row: 2,
    outcome: 'update',
    changes: [
      { field: 'code', before: 'kit', after: 'KIT' },
      { field: 'vat', before: null, after: 22 },
      { field: 'cost', before: 40, after: 45 },
      { field: 'allergens', before: '', after: 'gluten, milk' },
      { field: 'parameters', before: '', after: 'Linea = Dolci' },
    ],
  })
  expect((await products(shop)).map(({ version }) => version)).toEqual([1, 1])
  expect(await importing(shop, file, previewed)).toMatchObject({ created: 1, updated: 2, same: 0, refused: 0 })
  expect(await products(shop)).toMatchObject([
    { id: old, code: 'KIT', cost: 45, allergens: ['gluten', 'milk'], version: 2 },
    { code: 'twix', cost: 120, vat: 10.5, version: 1 },
    { code: 'wat', version: 2 },
  ])
  const [mapped] = await api.database.admin<{ product_id: string }>(
    'select product_id from product_codes where id = $1',
    [codeId],
  )
  expect(mapped?.product_id).toBe((await products(shop))[1]?.id)
  const log = await api.database.admin(
    `select 1 from change_log where merchant_id = $1 and action in ('product.create', 'product.update')`,
    [shop.merchantId],
  )
  expect(log).toHaveLength(3)
  expect(await preview(shop, file)).toMatchObject({ created: 0, updated: 0, same: 3 })
})

test('a row that breaks a rule says which, as the form does; the others stay importable', async () => {
  const shop = await aShop()
  const rows = [
    ['code', 'name', 'productType', 'vat', 'cost', 'gtin', 'allergens', 'parameters'],
    ['', 'No code', 'A', '', '', '', '', ''],
    ['two', 'Two', 'Quux', '', '', '', '', ''],
    ['three', 'Three', 'A', '101', '-1', '123', 'dust', 'without value'],
    ['four', 'Four', 'A', '', '1.234', '', '', ''],
    ['five', 'Five', 'A', 'x', '0.125', '', '', 'A=1; a=2'],
    ['TWO', 'Two again', 'A', '', '', '', '', ''],
    ['fine', 'Fine', 'A', '', '1,234.50', '', '', ''],
  ]
  const previewed = await preview(shop, rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'))
  const faults = Object.fromEntries(
    previewed.rows.map(({ row, faults: all }) => [row, all.map(({ field, rule }) => `${field} ${rule}`).sort()]),
  )
  expect(faults).toEqual({
    2: ['code rule.required'],
    3: ['productType rule.choice'],
    4: [
      'allergens rule.choice',
      'cost rule.minimumZero',
      'gtin rule.gtin',
      'parameters rule.format',
      'vat rule.maximum',
    ],
    5: ['cost rule.format'],
    6: ['cost rule.format', 'parameters rule.choice', 'vat rule.number'],
    7: ['code rule.repeated'],
    8: [],
  })
  expect(previewed).toMatchObject({ refused: 6, created: 1 })
  await importing(shop, rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'), previewed)
  expect(await products(shop)).toMatchObject([{ code: 'fine', cost: 123_450 }])
})

test('a new product without a name or type is refused, and an old one keeps what the file leaves out', async () => {
  const shop = await aShop()
  await aProduct(api.database, shop.merchantId, { code: 'old', name: 'Old', vat: 4, gtin: '4006381333931' })
  const previewed = await preview(shop, 'code\tvat\nold\t5\nnew\t5\n')
  expect(previewed.rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [3, 'refused'],
    [2, 'update'],
  ])
  expect(previewed.rows[1]?.changes).toEqual([{ field: 'vat', before: 4, after: 5 }])
})

const encoded = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'Latin-1': (text: string) => Buffer.from(text, 'latin1'),
  'UTF-16': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 without a mark': (text: string) => Buffer.from(text, 'utf16le'),
  'an Excel file with its separator': (text: string) => Buffer.from(`sep=;\r\n${text}`, 'latin1'),
}
test.each(Object.entries(encoded))('%s is read', async (_, encode) => {
  const previewed = await preview(await aShop(), encode('Código;Nombre;Tipo\r\n1;Café;Frío\r\n'))
  expect(previewed).toMatchObject({ created: 1, refused: 0, rows: [{ name: 'Café' }] })
})

test('a formula of a foreign file is a text like any other', async () => {
  const shop = await aShop()
  const file = `code,name,productType\n1,"=HYPERLINK(""http://x"")",C\n2,'=1+1,C\n`
  await importing(shop, file, await preview(shop, file))
  expect((await products(shop)).map(({ name }) => name)).toEqual(['=HYPERLINK("http://x")', '=1+1'])
})

const bomb = deflateRawSync(Buffer.alloc(200_000_000))
/** A ZIP of 200 MB whose directory says another size. */
function zipOf(declaredSize: number, content = bomb) {
  const name = Buffer.from('xl/worksheets/sheet1.xml')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(content.length, 18)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(content.length, 20)
  entry.writeUInt32LE(declaredSize, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + content.length, 16)
  return Buffer.concat([local, name, content, entry, name, end])
}

test('hostile files are refused', async () => {
  const shop = await aShop()
  const refused = (content: string | Uint8Array) =>
    preview(shop, content).then(
      () => 'read',
      ({ code }) => code,
    )
  const many = (count: number) => `code,name,productType\n${'x,x,A\n'.repeat(count)}`
  expect(await refused(many(100_001))).toBe('ImportTooLong')
  expect(await preview(shop, 'name;type\nA;B')).toMatchObject({ missing: ['code'] })
  expect(await refused('')).toBe('ImportUnreadable')
  expect(await refused(Buffer.from([0x63, 0, 0, 0, 1, 0, 0, 0]))).toBe('ImportUnreadable')
  for (const content of [pngOfOnePixel, '<svg></svg>', '<html></html>', '%PDF-1.7'])
    expect(await refused(content), String(content)).toBe('UnsupportedMediaType')
  for (const declaredSize of [200_000_000, 0, 0xffffffff, 1000])
    expect(await refused(zipOf(declaredSize))).toBe('ImportUnreadable')
  expect(await refused(Buffer.alloc(21_500_000, 'a'))).toBe('PayloadTooLarge')
  const all = preview({ ...shop, merchantId: allMerchants }, many(1))
  await expect(all).rejects.toMatchObject({ code: 'MerchantNotSelected' })
})

test('a file with an endless cell is refused, and other calls are answered meanwhile', async () => {
  const shop = await aShop()
  const endless = `code;name\n"${'a;b\n'.repeat(1_200_000)}`
  let isRead = false
  const reading = preview(shop, endless)
    .then(
      () => 'read',
      ({ code }) => code,
    )
    .finally(() => {
      isRead = true
    })
  let alive = 0
  while (!isRead) {
    expect((await api.app.inject({ url: `${apiPrefix}/spa-configuration` })).statusCode).toBe(200)
    alive += 1
    // An injected call needs no turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await reading).toBe('ImportUnreadable')
  // Read on the event loop, it would leave no turn for another call.
  expect(alive).toBeGreaterThan(3)
  const long = `code;name;productType\na;"${'x'.repeat(40_000)}";A\n`
  await expect(preview(shop, long)).rejects.toMatchObject({ code: 'ImportUnreadable' })
  // A quote inside a cell starts no quoted cell.
  expect(await preview(shop, `code;name;productType\na;5" pipe;A\n${'b;c;A\n'.repeat(9_000)}`)).toMatchObject({
    created: 2,
  })
})

test('what another user has changed since the preview is not overwritten', async () => {
  const shop = await aShop()
  const id = await aProduct(api.database, shop.merchantId, { code: 'a', name: 'A' })
  const file = 'code,name,productType\na,B,C\nb,B,C\n'
  const previewed = await preview(shop, file)
  const params = { merchantId: shop.merchantId, productId: id }
  await api.as(shop.user).updateProduct({ params, body: { code: 'a', name: 'C', productType: 'C', version: 1 } })
  await expect(importing(shop, file, previewed)).rejects.toMatchObject({ status: 409, code: 'ImportChanged' })
  expect(await products(shop)).toMatchObject([{ name: 'C' }])
  // Two users confirm the same file at once: one of them imports.
  const again = await preview(shop, file)
  const both = await Promise.allSettled([1, 2].map(() => importing(shop, file, again)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ImportChanged' } })
  expect((await products(shop)).map(({ name, version }) => [name, version])).toEqual([
    ['B', 3],
    ['B', 1],
  ])
})
