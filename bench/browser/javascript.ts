import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { demoAccounts } from '#demo/operators/people.ts'
import { budget, filesBeforeDashboard, readManifest, weigh } from '../../checks/bundle-budget.ts'
import { requireTool, tools } from '../../scripts/tools.ts'
import { install } from '../installation.ts'
import type { Finding, Measurement } from '../measure.ts'

const folder = join(import.meta.dirname, '..', '..', 'dist/portal')

export const javascript: Measurement = {
  title: 'JavaScript before the dashboard appears',
  about: `The same gzipped size twice, with the sentences of the language. By the build: the files that its manifest names for the entry and the
    dashboard, which the tests limit. In a browser: all scripts of the page that have loaded when the skeleton of the
    dashboard appears to a signed-in user. Charts and map load later.`,
  async run({ say }) {
    const byBuild = weigh(folder, filesBeforeDashboard(folder, readManifest(folder), 'en'))
    const byBrowser = weigh(folder, await scriptsBeforeSkeleton(say))
    return [
      finding('gzipped JavaScript of the entry and the dashboard', byBuild),
      finding('gzipped JavaScript in the browser before the skeleton', byBrowser),
    ]
  },
}

function finding(what: string, files: readonly { bytes: number }[]): Finding {
  if (files.length < 2) throw new Error('No scripts were found.')
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  return {
    what,
    figure: `${kilobytes.toFixed(1)} kB in ${files.length} files`,
    value: kilobytes,
    promised: { atMost: budget / 1000, unit: 'kB' },
  }
}

/** The script files that a browser of a signed-in user has loaded when the dashboard's skeleton appears. */
async function scriptsBeforeSkeleton(say: (line: string) => void): Promise<string[]> {
  const executablePath = requireTool(tools.chromium)
  const installation = await install(say, { historyDays: 2, machines: 20, transactions: 2000 })
  const server = await installation.serve()
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  })
  try {
    const page = await browser.newPage({ locale: 'en' })
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector('main [role=status]')) return
        observer.disconnect()
        performance.mark('skeleton')
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(server.origin)
    const [account] = demoAccounts
    await page.getByLabel('Email').fill(account?.email ?? '')
    await page.getByLabel('Password').fill(account?.password ?? '')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const skeleton = () =>
      page.waitForFunction(() => performance.getEntriesByName('skeleton').length > 0, undefined, { timeout: 60_000 })
    await skeleton()
    await page.goto(`${server.origin}/dashboard`)
    await skeleton()
    return await page.evaluate(() => {
      const skeletonAt = performance.getEntriesByName('skeleton')[0]?.startTime ?? 0
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => new URL(name).pathname.endsWith('.js') && startTime <= skeletonAt)
        .filter((entry) => (entry as PerformanceResourceTiming).responseEnd <= skeletonAt)
        .map(({ name }) => new URL(name).pathname.slice(1))
    })
  } finally {
    await browser.close()
    await server.stop()
    await installation.stop()
  }
}
