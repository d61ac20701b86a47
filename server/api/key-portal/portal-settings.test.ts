import { afterAll, beforeAll, expect, test } from 'vitest'
import { limits } from '#contract/frame/limits.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMerchant, aUser } from '#testkit/fixtures.ts'
import { aBlogFile, aBlogPost, aPng, aPortal, portalSlugOf } from '#testkit/nouns/key-portal.ts'
import { aPaymentConfig, aPaymentService } from '#testkit/nouns/web-payments.ts'

let api: TestApi
let provider: TestUser
beforeAll(async () => {
  api = await openTestApi()
  provider = await aUser(api.database, 'superAdmin', [])
})
afterAll(() => api.close())

const texts = (text: string) => ({ it: `<p>${text} it</p>`, en: `<p>${text} en</p>`, es: '', fr: '', de: '', pt: '' })
const fields = (slug: string) => ({
  slug,
  name: 'Caffè Duomo',
  website: 'https://duomo.example',
  colour: '#0b5c3b',
  theme: 1 as const,
  phone: '+390212345678',
  email: 'help@duomo.example',
  contacts: texts('Contacts'),
  privacy: texts('Privacy'),
})
const aSlug = () => `s-${crypto.randomUUID()}`
const publicly = (path: string, address = '198.51.100.1', headers = {}) =>
  api.app.inject({ method: 'GET', url: `/api/v1/cogeskey/${path}`, remoteAddress: address, headers })
const saved = async (merchantId: string, more: object = {}, slug = aSlug(), version = 0) =>
  api.as(provider).updatePortalSettings({
    params: { merchantId },
    body: { ...fields(slug), logoId: null, appLogoId: null, ingredientsId: null, isPublished: true, ...more, version },
  })
const upload = (merchantId: string, use: string, file: Uint8Array, name = 'a.png') =>
  api.send('uploadPortalFile', { params: { merchantId }, query: { use, name, bytes: file.length }, file }, provider)

test('a portal starts with an address made from the merchant’s name', async () => {
  const { id: merchantId } = await aMerchant(api.database, { name: 'Ђорђе Кафа' })
  const { id: other } = await aMerchant(api.database, { name: 'Djordje kafa' })
  const first = await api.as(provider).getPortalSettings({ params: { merchantId } })
  expect(first).toMatchObject({ slug: 'djordje-kafa', version: 0, isPublished: false })
  await saved(merchantId, {}, first.slug)
  expect((await api.as(provider).getPortalSettings({ params: { merchantId: other } })).slug).toBe('djordje-kafa-2')
  await expect(saved(other, {}, first.slug)).rejects.toMatchObject({ code: 'PortalSlugTaken' })
})

test('a published portal answers with its colors, texts and services; a hidden one like an unknown one', async () => {
  const { id: merchantId } = await aMerchant(api.database, { features: [] })
  const slug = aSlug()
  await saved(merchantId, { isPublished: false, privacy: texts('Draft') }, slug)
  for (const path of ['', '/contacts', '/privacy', '/services', '/blogposts']) {
    const hidden = await publicly(slug + path)
    const unknown = await publicly(`unknown-portal${path}`)
    expect(hidden.statusCode).toBe(404)
    expect({ ...hidden.json(), requestId: '' }).toEqual({ ...unknown.json(), requestId: '' })
  }
  await saved(merchantId, {}, slug, 1)
  expect((await publicly(slug)).json()).toMatchObject({
    name: 'Caffè Duomo',
    colours: { brand: '#0b5c3b', onBrand: '#ffffff' },
    theme: 1,
    languages: ['it', 'en'],
    services: { media: false, recharge: false, ingredients: false },
  })
  expect((await publicly(`${slug}/privacy?language=it`)).json()).toEqual({ language: 'it', html: '<p>Privacy it</p>' })
  // A language without a text is answered in English.
  expect((await publicly(`${slug}/contacts?language=de`)).json()).toMatchObject({
    language: 'en',
    email: 'help@duomo.example',
  })
  await saved(merchantId, { isPublished: false }, slug, 2)
  expect((await publicly(slug)).statusCode).toBe(404)
})

test('a former address leads to the portal, and stays the merchant’s', async () => {
  const ownMerchant = await aMerchant(api.database)
  const other = await aMerchant(api.database)
  const former = aSlug()
  const current = aSlug()
  await saved(ownMerchant.id, {}, former)
  await saved(ownMerchant.id, {}, current, 1)
  expect((await publicly(former)).json()).toMatchObject({ slug: current })
  await expect(saved(other.id, {}, former)).rejects.toMatchObject({ code: 'PortalSlugTaken' })
})

test('recharges are offered with an active payment service of a merchant with the feature and the service', async () => {
  const { id: merchantId } = await aMerchant(api.database, { features: ['customerMedia', 'webPayments'] })
  const slug = await aPortal(api.database, merchantId)
  const recharge = async () => (await publicly(`${slug}/services`)).json().recharge as boolean
  await api.database.admin(
    `insert into merchant_details (merchant_id, portal_recharge) values ($1, true)
     on conflict (merchant_id) do update set portal_recharge = true`,
    [merchantId],
  )
  const configId = await aPaymentConfig(api.database, merchantId, await aPaymentService(api.database))
  expect(await recharge()).toBe(true)
  await api.database.admin('update web_payment_configs set is_active = false where id = $1', [configId])
  // A change elsewhere shows after the kept answer has ended; saving the settings reads the portal again.
  await saved(merchantId, {}, slug, 1)
  expect(await recharge()).toBe(false)
})

test('texts are refused with scripts, without Italian or without English', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  for (const privacy of [
    { ...texts('x'), en: '<p>x</p><script>alert(1)</script>' },
    { ...texts('x'), en: '<p onclick="x()">x</p>' },
    { ...texts('x'), it: '<p> </p>' },
    { ...texts('x'), en: '' },
  ])
    await expect(saved(merchantId, { privacy })).rejects.toMatchObject({ code: 'ValidationFailed' })
  for (const field of ['contacts', 'privacy'])
    for (const language of languages) {
      const evil = { ...texts('x'), [language]: '<p>x</p><script>alert(1)</script>' }
      await expect(saved(merchantId, { [field]: evil })).rejects.toMatchObject({
        code: 'ValidationFailed',
        errors: [expect.objectContaining({ path: `${field}.${language}`, rule: 'rule.richText' })],
      })
    }
  const picture = '<img src="data:image/png;base64,PHN2Zz48L3N2Zz4=">'
  await expect(saved(merchantId, { privacy: { ...texts('x'), en: picture } })).rejects.toMatchObject({
    code: 'ValidationFailed',
    errors: [expect.objectContaining({ path: 'privacy.en', rule: 'rule.fileKind' })],
  })
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const html = Buffer.from('<!doctype html><script>alert(1)</script>')
const jpg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc000110800c801f403012200021101031101ffd9', 'hex')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\n%%EOF')

test.each([
  ['an SVG named as PNG', 'logo', svg, 'fileKind'],
  ['a page named as PNG', 'logo', html, 'fileKind'],
  ['a page named as PDF', 'ingredients', html, 'fileKind'],
  ['a picture as ingredients', 'ingredients', aPng(10, 10), 'fileKind'],
  ['a PDF as logo', 'logo', pdf, 'fileKind'],
  ['a logo of 501 pixels', 'logo', aPng(501, 10), 'imageSize'],
  ['a logo 201 pixels high', 'appLogo', aPng(10, 201), 'imageSize'],
  ['a PNG without a header', 'logo', aPng(10, 10).subarray(0, 12), 'imageBroken'],
  ['a logo above 1 MB', 'logo', Buffer.concat([aPng(10, 10), Buffer.alloc(1024 * 1024)]), 'fileSize'],
])('%s is refused', async (_, use, file, rule) => {
  const { id: merchantId } = await aMerchant(api.database)
  const answer = await upload(merchantId, use, file, use === 'ingredients' ? 'a.pdf' : 'a.png')
  expect(answer.json()).toMatchObject({ code: 'ValidationFailed', errors: [{ rule: `rule.${rule}` }] })
})

test('ingredients of 40 MB are refused before they are sent', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const query = { use: 'ingredients', name: 'a.pdf', bytes: 40 * 1024 * 1024 }
  const answer = await api.send('uploadPortalFile', { params: { merchantId }, query, file: pdf }, provider)
  expect(answer.statusCode).toBe(413)
})

test('a logo of exactly 500 × 200 pixels and a PDF are served without running anything in them', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const slug = aSlug()
  const [logo, app, list] = await Promise.all([
    upload(merchantId, 'logo', aPng(500, 200), 'evil.html'),
    upload(merchantId, 'appLogo', jpg, 'a.jpg'),
    upload(merchantId, 'ingredients', pdf, 'a.pdf'),
  ])
  const ids = { logoId: logo.json().id, appLogoId: app.json().id, ingredientsId: list.json().id }
  expect(app.json()).toMatchObject({ type: 'jpg', width: 500, height: 200 })
  await saved(merchantId, { ...ids, isPublished: false }, slug)
  const path = `${slug}/files/${ids.logoId}`
  expect((await publicly(path)).statusCode).toBe(404)
  await saved(merchantId, ids, slug, 1)
  const portal = (await publicly(slug)).json()
  expect(portal.logo).toEqual({ url: `/api/v1/cogeskey/${path}`, width: 500, height: 200 })
  const picture = await publicly(path)
  expect(picture.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  const document = await publicly(`${slug}/files/${ids.ingredientsId}`)
  expect(document.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment/),
  })
  expect(document.rawPayload.equals(pdf)).toBe(true)
  // A logo is no list of ingredients.
  await expect(saved(merchantId, { ...ids, ingredientsId: ids.logoId }, slug, 2)).rejects.toMatchObject({
    code: 'PortalFileNotFound',
  })
})

test('a file of another merchant’s portal is not found', async () => {
  const ownMerchant = await aMerchant(api.database)
  const other = await aMerchant(api.database)
  const foreignLogo = (await upload(other.id, 'logo', aPng(10, 10))).json().id as string
  await expect(saved(ownMerchant.id, { logoId: foreignLogo })).rejects.toMatchObject({ code: 'PortalFileNotFound' })
  const slug = await aPortal(api.database, ownMerchant.id)
  expect((await publicly(`${slug}/files/${foreignLogo}`)).statusCode).toBe(404)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchant.id, groups: 'all' }])
  const answer = await api.send(
    'getPortalFileContent',
    { params: { merchantId: ownMerchant.id, portalFileId: foreignLogo } },
    admin,
  )
  expect(answer.statusCode).toBe(404)
})

test('a merchant admin previews a portal that is not published, and does not change it', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  expect(await admin.getPortalPreview({ params: { merchantId } })).toMatchObject({ isSaved: false, isPublished: false })
  await saved(merchantId, { isPublished: false })
  expect(await admin.getPortalPreview({ params: { merchantId } })).toMatchObject({
    isSaved: true,
    isPublished: false,
    portal: { name: 'Caffè Duomo' },
    privacy: { it: '<p>Privacy it</p>' },
  })
  await expect(admin.getPortalSettings({ params: { merchantId } })).rejects.toMatchObject({ code: 'Forbidden' })
})

test('two changes of one version do not overwrite each other, and the log has no pictures', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const slug = aSlug()
  const races = await Promise.allSettled([
    saved(merchantId, { name: 'One' }, slug),
    saved(merchantId, { name: 'Two' }, slug),
  ])
  expect(races.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const picture = `<img src="data:image/png;base64,${aPng(10, 10).toString('base64')}">`
  await saved(merchantId, { privacy: { ...texts('x'), en: `<p>Text</p>${picture}` } }, slug, 1)
  const log = await api.database.admin<{ after: { privacy: { en: string } } }>(
    `select after from change_log where merchant_id = $1 and action = 'portalSettings.update' order by at desc, id desc limit 1`,
    [merchantId],
  )
  expect(log[0]?.after.privacy.en).toBe('Text')
  await expect(saved(merchantId, { name: 'Late' }, slug, 1)).rejects.toMatchObject({ code: 'EditConflict' })
})

test('public calls are limited by network, and an unchanged answer is not sent again', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const slug = await aPortal(api.database, merchantId)
  const first = await publicly(slug, '203.0.113.5')
  expect((await publicly(slug, '203.0.113.5', { 'if-none-match': first.headers.etag })).statusCode).toBe(304)
  const answers = await Promise.all(
    Array.from({ length: limits.publicPortal.most }, () => publicly('no-portal', '203.0.113.5')),
  )
  const codes = new Set(answers.map(({ statusCode }) => statusCode))
  // A minute may begin in between.
  if (codes.size > 1) expect(codes).toEqual(new Set([404, 429]))
  const more = await Promise.all(
    Array.from({ length: limits.publicPortal.most }, () => publicly('no-portal', '203.0.113.5')),
  )
  expect(more.some(({ statusCode }) => statusCode === 429)).toBe(true)
  expect((await publicly(slug, '203.0.113.9')).statusCode).toBe(200)
})

test('a demo that has ended has no portal', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  await aPortal(api.database, merchantId)
  await api.database.admin(`update merchants set is_demo = true, demo_expires_on = current_date - 3 where id = $1`, [
    merchantId,
  ])
  expect((await publicly(portalSlugOf(merchantId))).statusCode).toBe(404)
})

const aPost = (more: object = {}) => ({
  title: { it: 'Nuovi gusti', en: 'New flavors' },
  slug: `p-${crypto.randomUUID()}`,
  excerpt: { it: 'In breve', en: 'In short' },
  content: { it: '<p>Ciao</p>', en: '<p>Hello</p>' },
  mediaId: null,
  visibility: 1 as const,
  ...more,
})

test('a post needs its texts in Italian and English, and its own address', async () => {
  const writer = api.as(provider)
  for (const content of [
    { it: '<p>Ciao</p>', en: '' },
    { it: '<p></p>', en: '<p>Hello</p>' },
  ])
    await expect(writer.createBlogPost({ body: aPost({ content }) })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [expect.objectContaining({ rule: 'rule.blogLanguages' })],
    })
  for (const field of ['title', 'excerpt'] as const)
    await expect(writer.createBlogPost({ body: aPost({ [field]: { it: 'Ciao', en: ' ' } }) })).rejects.toMatchObject({
      code: 'ValidationFailed',
      errors: [expect.objectContaining({ path: `${field}.en` })],
    })
  const post = await writer.createBlogPost({ body: aPost() })
  await expect(writer.createBlogPost({ body: aPost({ slug: post.slug }) })).rejects.toMatchObject({
    code: 'BlogSlugTaken',
  })
  expect(await writer.getBlogSlug({ query: { title: 'Новый кофе' } })).toEqual({ slug: 'novyi-kofe' })
  expect(await writer.getBlogSlug({ query: { title: '新しい' } })).toEqual({ slug: '' })
})

test('a hidden post and its picture are not found in portals', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const slug = await aPortal(api.database, merchantId)
  const mediaId = await aBlogFile(api.database, api.blobs)
  const id = await aBlogPost(api.database, { mediaId, visibility: 0 })
  const at = (path: string) => publicly(`${slug}/${path}`, '198.51.100.7')
  const answers = async () => [
    (await at(`blogposts/post-${id}`)).statusCode,
    (await at(`files/${mediaId}`)).statusCode,
    (await at('blogposts?size=50')).payload.includes(id),
  ]
  expect(await answers()).toEqual([404, 404, false])
  const post = await api.as(provider).getBlogPost({ params: { blogPostId: id } })
  const { title, slug: ownSlug, excerpt, content } = post
  await api.as(provider).updateBlogPost({
    params: { blogPostId: id },
    body: { title, slug: ownSlug, excerpt, content, mediaId, visibility: 1, version: 1 },
  })
  expect(await answers()).toEqual([200, 200, true])
  expect((await at(`blogposts/post-${id}?language=it`)).json()).toMatchObject({ language: 'it', html: '<p>Ciao</p>' })
  expect((await at(`blogposts/post-${id}?language=fr`)).json()).toMatchObject({ language: 'en', html: '<p>Hello</p>' })
})

test('readers get title and excerpt in their language; a post without an English title shows the Italian one', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const slug = await aPortal(api.database, merchantId)
  const id = await aBlogPost(api.database)
  const read = async (language: string) => {
    const listed = (await publicly(`${slug}/blogposts?size=50&language=${language}`, '198.51.100.8')).json()
    const article = (await publicly(`${slug}/blogposts/post-${id}?language=${language}`, '198.51.100.8')).json()
    const { title, excerpt } = listed.items.find((one: { slug: string }) => one.slug === `post-${id}`)
    expect(article).toMatchObject({ title, excerpt })
    return { title, excerpt }
  }
  expect(await read('it')).toEqual({ title: 'Un post', excerpt: 'In breve' })
  expect(await read('de')).toEqual({ title: 'A post', excerpt: 'In short' })
  const isFound = async (search: string) =>
    (await api.as(provider).listBlogPosts({ query: { search, size: 500 } })).items.some((one) => one.id === id)
  expect([await isFound('un post'), await isFound('in short')]).toEqual([true, true])
  // As posts were before they had titles in two languages.
  await api.database.admin('update blog_posts set title_en = null, excerpt_en = null where id = $1', [id])
  expect(await read('de')).toEqual({ title: 'Un post', excerpt: 'In breve' })
  expect((await api.as(provider).getBlogPost({ params: { blogPostId: id } })).title).toEqual({ it: 'Un post', en: '' })
})

test('the picture of a post is checked by its content', async () => {
  for (const file of [svg, html, pdf]) {
    const query = { name: 'a.png', bytes: file.length }
    expect((await api.send('uploadBlogFile', { query, file }, provider)).json()).toMatchObject({
      code: 'ValidationFailed',
    })
  }
})
