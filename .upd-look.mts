import { chromium } from 'playwright-core'
import { writeFileSync } from 'node:fs'
const exe = process.env.CHROME
const browser = await chromium.launch({ ...(exe ? { executablePath: exe } : {}), args: ['--no-sandbox', '--disable-gpu'] })
const base = 'http://localhost:18477'
const [role, ...paths] = process.argv.slice(2)
const shots: [number, 'light' | 'dark'][] = [[1440, 'light'], [390, 'dark']]
const state: { v?: Awaited<ReturnType<Awaited<ReturnType<typeof browser.newContext>>['storageState']>> } = {}
let k = 0
for (const [width, colorScheme] of shots) {
  const context = await browser.newContext({ viewport: { width, height: width === 390 ? 844 : 1000 }, colorScheme, locale: 'en-GB' })
  const page = await context.newPage()
  page.on('console', (m) => m.type() === 'error' && console.log('console', m.text().slice(0, 300)))
  page.on('pageerror', (e) => console.log('pageerror', e.message.slice(0, 300)))
  await page.goto(base + '/')
  await page.getByRole('button', { name: `Sign in as ${role}` }).click()
  await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor({ timeout: 60000 })
  for (const path of paths) {
    const [url, act] = path.split('#')
    await page.goto(base + url)
    await page.locator('main').getByRole('heading', { level: 1 }).first().waitFor({ timeout: 60000 }).catch((e) => console.log(String(e).slice(0, 200)))
    await page.waitForTimeout(3000)
    if (act === 'row') {
      await page.locator('main').getByRole('link').filter({ hasText: /4\.12\.0|Euro 2026/ }).first().click().catch(() => console.log('no row'))
      await page.waitForTimeout(4000)
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await page.screenshot({ path: `/tmp/upd-shot-${role.replace(' ', '')}-${k++}.png`, fullPage: true })
    console.log(k - 1, width, path, page.url(), 'overflow', wide)
  }
  await context.close()
}
await browser.close()
