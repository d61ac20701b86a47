import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { demoAccounts } from '#demo/operators/people.ts'
import { requireTool, tools } from '../../scripts/tools.ts'
import { cleanUpAtEnd } from '../installation.ts'

/** A browser window with its own profile. */
export interface Window {
  context: BrowserContext
  page: Page
  close(): Promise<void>
}

/** Opens Debian's Chromium with a desktop-sized window; `debugPort` lets other tools inspect the same window. */
export async function openWindow({ debugPort }: { debugPort?: number } = {}): Promise<Window> {
  const profile = mkdtempSync(join(tmpdir(), 'gettone-bench-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: requireTool(tools.chromium),
    viewport: { width: 1440, height: 900 },
    locale: 'en',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...(debugPort ? [`--remote-debugging-port=${debugPort}`] : []),
    ],
  })
  const close = cleanUpAtEnd(async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  })
  return { context, page: context.pages()[0] ?? (await context.newPage()), close }
}

/** Signs in as the demo's super admin and waits until the page of an address appears. */
export async function signInOn(page: Page, address: string): Promise<void> {
  page.setDefaultTimeout(60_000)
  await page.goto(address)
  const [account] = demoAccounts
  await page.getByLabel('Email').fill(account?.email ?? '')
  await page.getByLabel('Password').fill(account?.password ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}
