import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { codeOfMachine } from '#database/key-portal/machine-place.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'
import { aPage } from '#testkit/browser/browser.ts'
import { sizes } from '#testkit/browser/looks.ts'
import { aFreePort, openPortal, type TestPortal } from '#testkit/browser/portal.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { aPrice } from '#testkit/machines/machine-data.ts'
import { aCredit } from '#testkit/nouns/cashless.ts'
import { aCustomer, aWallet } from '#testkit/nouns/customers.ts'
import { aBlogPost, aPortal, someIngredients } from '#testkit/nouns/key-portal.ts'
import { requireTool, tools } from '../../scripts/tools.ts'

/* The customers' app as an app: installable and accessible, useful without a network, and up to date after a year in a drawer. */

const folder = mkdtempSync(join(tmpdir(), 'gettone-customer-app-'))
let portal: TestPortal & { stop: () => Promise<void> }
beforeAll(async () => {
  portal = await openPortal({ DATA_DIR: folder, SECRET_KEY: testSecretKey })
}, 180_000)
afterAll(async () => {
  await portal?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const password = 'Coffee-at-9'

/** A merchant with a portal, a machine with products, a post, and a customer with a wallet. */
async function aPlace() {
  const { database } = portal
  const { id: merchantId } = await aMerchant(database)
  const slug = await aPortal(database, merchantId)
  const machine = await aMachine(database, merchantId, { name: 'Lobby', columns: { connection: 1 } })
  await aPrice(database, machine, { selection: '12', product: 'Espresso', price: 70 })
  await aPrice(database, machine, { selection: '14', product: 'Cocoa', price: 90 })
  await someIngredients(database, merchantId, folderBlobs(join(folder, 'blobs')))
  const customer = await aCustomer(database, merchantId, { password })
  await aCredit(database, merchantId, await aWallet(database, customer), 500)
  return { slug, customer, machine, code: await codeOfMachine(database, machine.serial) }
}

async function enter(page: Page, email: string) {
  await page.getByRole('button', { name: 'Use password' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const isKept = async (page: Page) => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  // Answers are written shortly after they arrive.
  await page.waitForTimeout(600)
}

test('Lighthouse finds nothing inaccessible, and browsers can install the app', async () => {
  const { slug, customer, code } = await aPlace()
  const port = await aFreePort()
  const profile = mkdtempSync(join(tmpdir(), 'gettone-lighthouse-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: requireTool(tools.chromium),
    viewport: sizes.phone,
    locale: 'en-GB',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      `--remote-debugging-port=${port}`,
    ],
  })
  onTestFinished(async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  })
  const home = `${portal.url}/key/${slug}`
  const faultsAt = async (path: string) => {
    // Keeps the browser signed in.
    const options = { port, output: 'json', logLevel: 'error', disableStorageReset: true } as const
    const run = await lighthouse(home + path, { ...options, onlyCategories: ['accessibility', 'best-practices'] })
    if (!run) throw new Error(`Lighthouse said nothing of ${path}.`)
    const { categories, audits, finalDisplayedUrl, runtimeError } = run.lhr
    expect(runtimeError).toBeUndefined()
    expect(finalDisplayedUrl.replace(home, '')).toBe(path)
    const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs)
    const faults = counted.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    const scores = Object.values(categories).map(({ score }) => score)
    const said = faults.map(
      ({ id }) => `${id}: ${JSON.stringify(audits[id]?.details ?? audits[id]?.title).slice(0, 600)}`,
    )
    return { path, scores, faults: said }
  }
  const sound = (path: string) => ({ path, scores: [1, 1], faults: [] })

  for (const path of ['/', '/sign-in', `/m/${code}`]) expect(await faultsAt(path)).toEqual(sound(path))

  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(`${home}/`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await isKept(page)
  const devTools = await context.newCDPSession(page)
  const manifest = await devTools.send('Page.getAppManifest')
  expect(manifest.errors).toEqual([])
  expect(manifest.url).toBe(`${home}/manifest.webmanifest`)
  expect(JSON.parse(manifest.data ?? '')).toMatchObject({ start_url: `/key/${slug}/`, display: 'standalone' })
  expect((await devTools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])

  await page.goto(`${home}/sign-in`)
  await enter(page, customer.email)
  await page.getByText('€ 5,00').first().waitFor()
  for (const path of ['/', '/activity', '/profile', `/m/${code}?selection=14`])
    expect(await faultsAt(path)).toEqual(sound(path))
}, 300_000)

test('what was seen is there without a network, with its time; what was not is explained', async () => {
  const { slug } = await aPlace()
  const other = await aPlace()
  const post = `post-${await aBlogPost(portal.database)}`
  const page = await aPage({ baseURL: portal.url, viewport: sizes.phone, acceptDownloads: true })
  const shown = {
    '/contacts': page.getByText('Contacts', { exact: true }).nth(1),
    '/privacy': page.getByText('Privacy', { exact: true }).nth(1),
    [`/news/${post}`]: page.getByText('Hello', { exact: true }),
  }
  await page.goto(`/key/${slug}`)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  for (const [path, text] of Object.entries(shown)) {
    await page.goto(`/key/${slug}${path}`)
    await text.waitFor()
    expect(await page.getByText(/^as of/).count()).toBe(0)
    await isKept(page)
  }
  await page.goto(`/key/${slug}/help`)
  const download = async () => {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Ingredients/ }).click()
    return (await saved).suggestedFilename()
  }
  expect(await download()).toBe('Ingredients.pdf')
  await page.getByText(/^On this device · as of today/).waitFor()
  await isKept(page)

  // For so long, answers are not requested again.
  await page.waitForTimeout(10_000)
  await page.context().setOffline(true)
  for (const [path, text] of Object.entries(shown)) {
    await page.goto(`/key/${slug}${path}`)
    await text.waitFor()
    await page.getByText(/^as of today/).waitFor()
  }
  await page.goto(`/key/${slug}/help`)
  expect(await download()).toBe('Ingredients.pdf')
  // Another merchant's app, which this device has not opened before.
  await page.goto(`/key/${other.slug}`)
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Create account' }).waitFor()
})

test('a visitor who chose a product, or wants to complain about it, gets back to it after signing in', async () => {
  const { slug, customer, code } = await aPlace()
  const open = async () => {
    const page = await aPage({ baseURL: portal.url, viewport: sizes.phone })
    await page.goto(`/m/${code}`)
    await page.getByRole('button', { name: /Cocoa/ }).click()
    return page
  }
  const buyer = await open()
  await buyer.getByRole('link', { name: 'Sign in' }).click()
  await enter(buyer, customer.email)
  await buyer.getByRole('button', { name: 'Pay € 0,90' }).waitFor()
  expect(await buyer.getByRole('button', { name: /Cocoa/ }).getAttribute('aria-pressed')).toBe('true')

  const plaintiff = await open()
  await plaintiff.getByRole('link', { name: 'The machine kept my money' }).click()
  await enter(plaintiff, customer.email)
  await plaintiff.getByLabel(/^Amount/).waitFor()
  expect(await plaintiff.getByLabel(/^Amount/).inputValue()).toBe('0,90')
  expect(await plaintiff.getByLabel(/^Selection/).inputValue()).toBe('14')

  // An address that needs a sign-in, opened without one.
  const direct = await aPage({ baseURL: portal.url, viewport: sizes.phone })
  await direct.goto(`/key/${slug}/claims`)
  await enter(direct, customer.email)
  await direct.getByRole('heading', { level: 1, name: 'Your claims' }).waitFor()
})

test('after a year the app updates itself, ignores answers of an older form, and leads to the sign-in', async () => {
  const { slug, customer } = await aPlace()
  const server = await behind(portal.url)
  const page = await aPage({ baseURL: server.url, viewport: sizes.phone })
  server.isOld = true
  await page.goto(`/key/${slug}/sign-in`)
  await enter(page, customer.email)
  await page.getByText('€ 5,00').first().waitFor()
  await isKept(page)
  expect(await page.locator('meta[name=old]').count()).toBe(1)
  await page.evaluate(
    (key) =>
      new Promise((done, fail) => {
        const opening = indexedDB.open('key-portal')
        opening.onerror = fail
        opening.onsuccess = () => {
          const writing = opening.result.transaction('answers', 'readwrite')
          const queries = [
            { queryKey: ['own', '/customer/medias', {}, {}], queryHash: 'x', state: { data: 'nonsense' } },
          ]
          writing.objectStore('answers').put({ forms: 'older', state: { queries, mutations: [] } }, `own ${key}`)
          writing.oncomplete = done
        }
      }),
    slug,
  )
  await portal.database.admin('delete from customer_sessions where customer_id = $1', [customer.customerId])
  await page.goto('about:blank')
  server.isOld = false
  await page.goto(`/key/${slug}/`)
  await page.getByText('Your session has ended. Sign in again.').waitFor()
  await page.waitForFunction(() => document.querySelector('meta[name=old]') === null)
  expect(new URL(page.url()).pathname).toBe(`/key/${slug}/sign-in`)
  await enter(page, customer.email)
  await page.getByText('€ 5,00').first().waitFor()
  expect(page.complaints.filter((complaint) => complaint.startsWith('an error'))).toEqual([])
})

/** A server in front of the portal, which serves the app's page and service worker as of an older version while `isOld`. */
async function behind(origin: string) {
  const own = { url: '', isOld: false }
  const { host, hostname, port } = new URL(origin)
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host, 'accept-encoding': 'identity', ...(asked.headers.origin && { origin }) }
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers }, async (given) => {
      const isPage = String(given.headers['content-type']).startsWith('text/html')
      const isWorker = asked.url === '/key/sw.js'
      if (!own.isOld || !(isPage || isWorker)) {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        return given.pipe(answer)
      }
      let text = ''
      for await (const part of given.setEncoding('utf8')) text += part
      // Without its length and what a later request would be compared with.
      const { 'content-length': _, etag: __, 'last-modified': ___, ...rest } = given.headers
      answer.writeHead(given.statusCode ?? 502, rest)
      answer.end(
        isPage
          ? text.replace('<head>', '<head><meta name="old">')
          : text.replace(/(index\.html[^}]*revision:\s*["'`])/, '$1old'),
      )
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close())
  own.url = `http://localhost:${(server.address() as { port: number }).port}`
  return own
}
