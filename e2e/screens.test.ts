import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { accessibilityFaults, aPage } from '#testkit/browser.ts'
import { startProduct, type TestProduct } from '#testkit/product.ts'

/*
 * Every screen of the table, as the super admin sees it: it shows, complains of nothing, moves no further than its width, and
 * axe finds nothing. Its picture is left in .cache/pictures, light and dark, at 1440 and 390 px.
 */

const pictures = join(import.meta.dirname, '..', '.cache', 'pictures', 'screens')
const sizes = { desktop: { width: 1440, height: 1000 }, phone: { width: 390, height: 844 } }

let product: TestProduct
let machine: { id: string; merchantId: string }
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true })
  product = await startProduct()
  const [found] = await product.database.admin<{ id: string; merchantId: string }>(
    `select m.id, m.merchant_id as "merchantId" from machines m
     where exists (select from alarms a where a.machine_id = m.id and a.status = 'active')
       and exists (select from audits a where a.machine_id = m.id) order by m.serial limit 1`,
  )
  if (!found) throw new Error('The demo has no machine with an alarm and an audit')
  machine = found
}, 180_000)
afterAll(() => product?.stop(), 60_000)

const addressOf = (path: string) =>
  path.includes('$posId') ? `${path.replace('$posId', machine.id)}?merchant=${machine.merchantId}` : path

const settled = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('main [data-skeleton], main [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

const looks = [
  { scheme: 'light', size: 'desktop' },
  { scheme: 'dark', size: 'desktop' },
  { scheme: 'light', size: 'phone' },
  { scheme: 'dark', size: 'phone' },
] as const

describe.each(looks)('$scheme, $size', ({ scheme, size }) => {
  test('every screen', async () => {
    expect(screens.length).toBeGreaterThan(10)
    const page = await aPage({ baseURL: product.url, colorScheme: scheme, viewport: sizes[size] })
    page.setDefaultTimeout(30_000)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Sign in as super admin' }).click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    const faults: Record<string, string[]> = {}
    for (const screen of screens) {
      const address = addressOf(screen.path)
      await page.evaluate((to) => {
        history.pushState({}, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, address)
      await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === address.split('?')[0]?.replace(/\/$/, ''))
      await settled(page)
      await page.waitForTimeout(700)
      const name = screen.path.replaceAll(/[^a-z]+/gi, '-').replace(/^-|-$/g, '')
      await page.screenshot({ path: join(pictures, `${name}-${size}-${scheme}.png`) })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      const found = [
        ...(await accessibilityFaults(page)),
        ...page.complaints.splice(0),
        ...(overflow > 1 ? [`the page is ${overflow} px wider than the window`] : []),
      ]
      if (found.length > 0) faults[screen.path] = found
    }
    expect(faults).toEqual({})
  }, 240_000)
})
