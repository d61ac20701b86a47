import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longestRichText } from '#contract/rules/rich-text.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let writer: TestClient
let reader: TestClient
beforeAll(async () => {
  api = await openTestApi({ DEFAULT_LANGUAGE: 'it' })
  writer = api.as(await aUser(api.database, 'superAdmin', []))
  const { id: merchantId } = await aMerchant(api.database)
  reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const write = (code: string, language: string, content: string, version = 0) =>
  writer.updateTroubleshooting({ params: { code, language }, body: { content, version } })
const guide = (code: string, language: 'it' | 'en' | 'de' | 'pt') =>
  reader.getRepairGuide({ params: { code }, query: { language } })
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (bytes: Buffer, kind = 'png') =>
  `<p>1</p><img src="data:image/${kind};base64,${bytes.toString('base64')}">`

test('operators read the super admin’s texts; a text applies to every selection, and has a fallback language', async () => {
  expect(await guide('EJC_12', 'de')).toBeNull()
  const stored = await write('EJC', 'en', '<p>Turn the spiral <strong>back</strong></p>')
  expect(stored).toMatchObject({ code: 'EJC', language: 'en', version: 1, updatedBy: 'Test superAdmin' })
  const english = { code: 'EJC', language: 'en', content: '<p>Turn the spiral <strong>back</strong></p>' }
  expect(await guide('EJC_12', 'de')).toEqual(english)
  await write('ejc_3', 'de', '<p>Spirale zurückdrehen</p>')
  expect(await guide('EJC_12', 'de')).toMatchObject({ language: 'de', content: '<p>Spirale zurückdrehen</p>' })
  expect(await guide('EJC_12', 'pt')).toEqual(english)
})

test('without English the deployment’s language is used, and a code without a text shows that of its synonym', async () => {
  await write('EGS', 'de', '<p>Tür schließen</p>')
  await write('EGS', 'it', '<p>Chiudere la porta</p>')
  expect(await guide('OBB', 'pt')).toMatchObject({ code: 'EGS', language: 'it' })
  await write('OBB', 'it', '<p>Chiudere lo sportello</p>')
  expect(await guide('OBB', 'pt')).toMatchObject({ code: 'OBB', language: 'it' })
  expect(await guide('OBB', 'de')).toMatchObject({ code: 'EGS', language: 'de' })
})

test('a removed text is hidden, and its version number keeps rising', async () => {
  const { version } = await write('ENC', 'en', '<p>Open the bill validator</p>')
  expect(await write('ENC', 'en', '', version)).toMatchObject({ content: '', version: 2 })
  expect(await guide('ENC', 'en')).toBeNull()
  const textFor = (who: TestClient) => who.getMasterAlarm({ params: { code: 'ENC' } })
  expect(await textFor(writer)).toMatchObject({ languages: [], updatedBy: 'Test superAdmin' })
  // Merchants do not see which user of the provider wrote it.
  expect(await textFor(reader)).toMatchObject({ languages: [], updatedBy: null })
})

test('a save on an older version gets the current text, unless both are equal', async () => {
  await write('EFL', 'en', '<p>Open the tap</p>')
  await write('EFL', 'en', '<p>Open the water tap</p>', 1)
  await expect(write('EFL', 'en', '<p>Call the plumber</p>', 1)).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { content: '<p>Open the water tap</p>', version: 2 }, changedBy: 'Test superAdmin' },
  })
  await expect(write('EFL', 'en', '<p>Call the plumber</p>')).rejects.toMatchObject({ code: 'EditConflict' })
  expect(await write('EFL', 'en', '<p>Open the water tap</p>', 1)).toMatchObject({ version: 2 })
})

test('the list has every alarm code, a maker’s own only with a text, and finds codes by name in any language', async () => {
  await write('X_7', 'it', '<p>Chiamare il costruttore</p>')
  const all = await writer.listMasterAlarms({ query: { size: 500 } })
  expect(all.total).toBeGreaterThan(150)
  expect(all.items).toHaveLength(all.total)
  expect(all.items.find(({ code }) => code === 'X_7')).toMatchObject({ source: 'other', languages: ['it'] })
  const codesOf = async (query: object) =>
    (await writer.listMasterAlarms({ query: { size: 500, ...query } })).items.map(({ code }) => code)
  expect(await codesOf({ search: 'münzstau' })).toContain('EAD')
  expect(await codesOf({ search: 'coin jam' })).toEqual(['EAD'])
  expect(await codesOf({ search: 'p:n' })).toEqual(['P:NODATA'])
  expect(await codesOf({ criticities: [4], sources: ['door'] })).toEqual(['EGN', 'EGU', 'OBH'])
  expect(await codesOf({ isWritten: true, missingIn: ['de'] })).toEqual(['EFL', 'OBB', 'X_7'])
  expect((await codesOf({ ord: 'updatedAt', ordType: 'DESC' }))[0]).toBe('X_7')
  expect((await codesOf({ ord: 'updatedAt', ordType: 'ASC' })).at(-1)).toBe('P:STOCK')
  expect(await codesOf({ page: 2, size: 1, sources: ['door'], criticities: [4] })).toEqual(['EGU'])
})

describe('what is refused', () => {
  test.each([
    '<p>1</p><script>alert(1)</script>',
    '<p onclick="alert(1)">1</p>',
    '<img src="https://tracker.test/pixel.png">',
    '<a href="javascript:alert(1)">1</a>',
    '<p>open',
  ])('%s is refused and not stored', async (content) => {
    await expect(write('EAA', 'en', content)).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [{ path: 'content', rule: 'rule.richText' }],
    })
    expect(await guide('EAA', 'en')).toBeNull()
  })

  test('an image is stored with its text; a file that only claims to be an image is refused', async () => {
    await write('EAB', 'en', picture(png))
    expect((await guide('EAB', 'en'))?.content).toContain('<img src="data:image/png;base64,')
    for (const bytes of [Buffer.from('<svg onload="alert(1)"/>'), Buffer.from('no picture')])
      await expect(write('EAC', 'en', picture(bytes))).rejects.toMatchObject({
        code: 'ValidationFailed',
        errors: [{ path: 'content', rule: 'rule.fileKind' }],
      })
    await expect(write('EAC', 'en', '<img src="data:image/png;base64,=">')).rejects.toMatchObject({
      code: 'ValidationFailed',
    })
  })

  test('a text, an image or a request that is too large is refused with a request for smaller images', async () => {
    const tooLarge = { code: 'TroubleshootingContentExceedsSizeLimits', status: 413 }
    const large = Buffer.concat([png, Buffer.alloc(256 * 1024)])
    await expect(write('EAC', 'en', picture(large))).rejects.toMatchObject(tooLarge)
    const wide = Buffer.from(png)
    wide.writeUInt32BE(2001, 16)
    await expect(write('EAC', 'en', picture(wide))).rejects.toMatchObject(tooLarge)
    const long = `<p>${'x'.repeat(longestRichText)}</p>`
    await expect(write('EAC', 'en', long)).rejects.toMatchObject(tooLarge)
    await expect(write('EAC', 'en', `<p>${'x'.repeat(1_100_000)}</p>`)).rejects.toMatchObject(tooLarge)
    expect(await guide('EAC', 'en')).toBeNull()
  })

  test('an unknown code or language', async () => {
    await expect(guide('a/b' as string, 'en')).rejects.toMatchObject({ status: 400 })
    await expect(write('EAA', 'xx', '')).rejects.toMatchObject({ code: 'ValidationFailed' })
    await expect(write('x'.repeat(21), 'en', '')).rejects.toMatchObject({ code: 'ValidationFailed' })
  })

  test('only super admins write texts', async () => {
    const call = reader.updateTroubleshooting({
      params: { code: 'EAA', language: 'en' },
      body: { content: '<p>1</p>', version: 0 },
    })
    await expect(call).rejects.toMatchObject({ code: 'Forbidden' })
  })
})
