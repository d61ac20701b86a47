import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aPortal } from '#testkit/browser/portal.ts'
import { aUserWithPassword, signedIn } from '#testkit/browser/sign-in.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { filesBeforeDashboard, readManifest } from '../../checks/bundle-budget.ts'

const folder = join(import.meta.dirname, '../../dist/portal')

test('before the dashboard shows, a browser asks for the files that the bundle budget counts, and for no other', async () => {
  const portal = await aPortal()
  const { id: merchantId } = await aMerchant(portal.database)
  const user = await aUserWithPassword(portal.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const page = await signedIn(portal, user, '/dashboard')
  const counted = new Set(filesBeforeDashboard(folder, readManifest(folder), 'en').map((file) => `/${file}`))

  await page.goto('about:blank')
  // All other files are held back, so the dashboard shows without them.
  const asked: string[] = []
  let letOthers: (() => void) | undefined
  const isShown = new Promise<void>((resolve) => {
    letOthers = resolve
  })
  await page.context().route(/\.js(\?|$)/, async (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push(pathname)
    if (!counted.has(pathname)) await isShown
    await route.continue()
  })
  await page.goto('/dashboard')
  await page.locator('main').getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()

  // What else the dashboard asks for, it asks for after these.
  expect(asked.slice(0, counted.size).sort()).toEqual([...counted].sort())
  const later = asked.slice(counted.size)
  expect(later.length).toBeGreaterThan(0)

  // A key pressed meanwhile is not lost.
  await page.keyboard.press('Control+k')
  letOthers?.()
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
  expect(page.complaints).toEqual([])
})
