import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { requireTool, tools } from '../../scripts/tools.ts'

/** Folder for the pictures that tests take. */
export const pictures = join(import.meta.dirname, '..', '..', '.cache', 'pictures')

let browser: Promise<Browser> | undefined

/** The worker's browser, shared by its files: it starts with the first page and ends with the worker. */
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
      // Routes would do this too, but each request would wait for the test, and the browser's cache would be off.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
    ],
  })
  return browser
}

export type PageOptions = BrowserContextOptions & {
  /** The product's address, for `page.goto('/devices')`. */
  baseURL: string
}

/** Problems of a page that users would not notice: errors, React warnings, requests to other hosts. */
export type Complaints = string[]

export type TestPage = Page & {
  complaints: Complaints
  /** Pending requests of the page, without the live stream. */
  underWay: ReadonlySet<Request>
}

/**
 * A new page in its own browser profile, desktop sized, in English and UTC by default. It closes with the test; a
 * failed test leaves a picture in .cache/pictures. Requests beyond loopback are refused and reported: the product must
 * run without the internet.
 */
export async function aPage(options: PageOptions): Promise<TestPage> {
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
  const underWay = new Set<Request>()
  context.on('request', (request) => {
    // The end of a service worker's own requests is not always reported.
    const isOfPage = request.serviceWorker() === null
    if (isOfPage && !new URL(request.url()).pathname.endsWith('/users/me/live')) underWay.add(request)
  })
  context.on('requestfinished', (request) => underWay.delete(request))
  context.on('requestfailed', (request) => underWay.delete(request))
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
  return Object.assign(page, { complaints, underWay })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The accessibility faults of the page or a part of it, one line per broken rule. If only colours have changed since
 * axe last ran, only colours are checked.
 */
export async function accessibilityFaults(
  page: Page,
  part: Locator = page.locator('html'),
  rules: 'all' | 'colors' = 'all',
): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axeSource)
  const results = await part.evaluate((element, checked): Promise<AxeResults> => {
    // The page's own global, created by axe's script.
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    return axe.run(element === document.documentElement ? document : element, {
      resultTypes: ['violations'],
      ...(checked === 'colors' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
    })
  }, rules)
  return results.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map((node) => node.target.join(' '))
        .slice(0, 3)
        .join(', ')})`,
  )
}
