import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { requireTool, tools } from '../scripts/tools.ts'

/** Where pictures are left, for whoever wants to see what a test has seen. */
export const pictures = join(import.meta.dirname, '..', '.cache', 'pictures')

let browser: Promise<Browser> | undefined

/** The browser of this test file, started with the first page and closed with the file. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: requireTool(tools.chromium),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // The map draws with WebGL, here in software.
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
      // Routes would do this too, but then each request waits for the test, and nothing is kept in the browser's cache.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
    ],
  })
  return browser
}

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

export type PageOptions = BrowserContextOptions & {
  /** Where the product runs, for `page.goto('/devices')`. */
  baseURL: string
}

/** What a page did that a user would not see but a developer must: errors, warnings of React, requests that left the machine. */
export type Complaints = string[]

/**
 * A fresh page in a browser profile of its own, desktop sized, in English and UTC unless told otherwise. It is closed
 * with the test; when the test fails, its picture is left in .cache/pictures. Requests beyond loopback are refused and
 * complained of: at run time the product needs nothing of the internet.
 */
export async function aPage(options: PageOptions): Promise<Page & { complaints: Complaints }> {
  const context = await (await theBrowser()).newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    ...options,
  })
  const complaints: Complaints = []
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
      complaints.push(`a request left the machine: ${request.url()}`)
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(`an error was not caught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`the console says: ${message.text()}`)
  })
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') {
      mkdirSync(pictures, { recursive: true })
      const name = task.name.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 100)
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true }).catch(() => {})
    }
    await context.close().catch(() => {})
  })
  return Object.assign(page, { complaints })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page as it stands, one line per broken rule; an accessible page answers an empty list. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  // The page's own global, which axe's script has just made.
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults
  return results.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map((node) => node.target.join(' '))
        .slice(0, 3)
        .join(', ')})`,
  )
}
