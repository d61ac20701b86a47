import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPage, type TestPage } from '#testkit/browser/browser.ts'
import { signedIn } from '#testkit/browser/sign-in.ts'
import { countTransfer, type Transfer } from '#testkit/browser/transfer.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/* What a browser with an empty cache receives, compressed, by its own count. The portal has a service worker on rounds alone. */

/** In bytes. */
const most = { signIn: 150_000, dashboard: 500_000, requests: 30 }

let product: TestProduct
beforeAll(async () => {
  product = await startProduct({ withFleet: false })
})
afterAll(() => product.stop())

const listed = ({ bytes, requests }: Transfer) =>
  [`${bytes} bytes in ${requests.length} requests`, ...requests.map((one) => `${one.bytes} ${one.path}`)].join('\n')

/** Waits until the page has requested nothing for a while. */
async function isQuiet(page: TestPage) {
  for (let quiet = 0; quiet < 15; quiet = page.underWay.size === 0 ? quiet + 1 : 0) await page.waitForTimeout(100)
}

test(`the sign-in page needs at most ${most.signIn / 1000} kB`, async () => {
  const page = await aPage({ baseURL: product.url })
  const count = await countTransfer(page)
  await page.goto('/')
  await page.getByLabel('Email').waitFor()
  await isQuiet(page)
  const counted = count()
  console.log(`sign-in page: ${listed(counted)}`)
  expect(await page.getByLabel('Password').isVisible()).toBe(true)
  expect(counted.bytes, listed(counted)).toBeLessThanOrEqual(most.signIn)
})

test(`the dashboard needs at most ${most.dashboard / 1000} kB in ${most.requests} requests`, async () => {
  const before = await signedIn(product, 'merchantAdmin', '/profile')
  // A new browser with the same session and an empty cache.
  const page = await aPage({ baseURL: product.url, storageState: await before.context().storageState() })
  const count = await countTransfer(page)
  await page.goto('/dashboard')
  await page.getByRole('region', { name: 'Machine map' }).locator('path').first().waitFor()
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await isQuiet(page)
  const counted = count()
  console.log(`dashboard: ${listed(counted)}`)
  // What is below the window loads with the reader's first act.
  const charts = page.locator('main [data-chart] svg')
  expect(await charts.count()).toBe(0)
  await page.mouse.move(700, 300)
  await charts.first().waitFor()
  expect(counted.requests.some(({ path }) => path.endsWith('/dashboard') && path.startsWith('/api/'))).toBe(true)
  expect(counted.bytes, listed(counted)).toBeLessThanOrEqual(most.dashboard)
  expect(counted.requests.length, listed(counted)).toBeLessThanOrEqual(most.requests)
  expect(page.complaints).toEqual([])
})
