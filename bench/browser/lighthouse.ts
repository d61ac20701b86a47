import lighthouse, { desktopConfig, type Result } from 'lighthouse'
import { freePort, install } from '../installation.ts'
import { type Finding, type Measurement, median } from '../measure.ts'
import { openWindow, signInOn } from './browser.ts'

const pages = { dashboard: '/dashboard', 'list of machines': '/devices/list' }
const promised = { performance: 95, accessibility: 100, 'best-practices': 100 } as const
/** Single runs vary; the median of the scores counts. */
const looks = 3

export const lighthouseScores: Measurement = {
  title: 'Lighthouse on the dashboard and the list of machines',
  about: `Lighthouse's desktop preset in Chromium with a signed-in user. Its throttling is simulated, and the scores are the medians of ${looks}
    runs with the demo's 200 machines and no other users. The performance score depends on the machine that runs browser, server and
    database. The table therefore shows the machine's speed by Lighthouse's own benchmarkIndex: its documentation expects 1,500 to
    2,000 for a good desktop and 800 to 1,200 for a good phone.`,
  async run({ quick, say }) {
    const installation = await install(say, { historyDays: 14, transactions: 200_000 })
    const server = await installation.serve()
    const port = await freePort()
    const window = await openWindow({ debugPort: port })
    try {
      await signInOn(window.page, `${server.origin}/dashboard`)
      const findings: Finding[] = []
      for (const [name, path] of Object.entries(pages)) {
        const results: Result[] = []
        for (let look = 0; look < (quick ? 1 : looks); look += 1) results.push(await lookAt(server.origin + path, port))
        for (const fault of faultsOf(results)) say(`${name}: ${fault}`)
        for (const [category, least] of Object.entries(promised)) {
          const scores = results.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100))
          findings.push({
            what: `${category} of the ${name}`,
            figure: scores.join(', '),
            ...(category === 'performance' && { reference: `machine: ${powerOf(results)}` }),
            value: median(scores),
            promised: { atLeast: least, unit: 'points' },
          })
        }
      }
      return findings
    } finally {
      await window.close()
      await server.stop()
      await installation.stop()
    }
  },
}

async function lookAt(address: string, port: number): Promise<Result> {
  const run = await lighthouse(
    address,
    // Keeps the browser signed in.
    { port, output: 'json', logLevel: 'error', disableStorageReset: true, onlyCategories: Object.keys(promised) },
    desktopConfig,
  )
  if (!run) throw new Error(`Lighthouse said nothing of ${address}.`)
  const { lhr } = run
  if (lhr.runtimeError) throw new Error(`Lighthouse could not look at ${address}: ${lhr.runtimeError.message}`)
  const finalPath = new URL(lhr.finalDisplayedUrl).pathname
  if (finalPath !== new URL(address).pathname)
    throw new Error(`${address} led to ${finalPath}: nobody is signed in there.`)
  return lhr
}

/** The machine's speed by Lighthouse's own benchmark. */
const powerOf = (results: readonly Result[]) =>
  results.map(({ environment }) => Math.round(environment.benchmarkIndex)).join(', ')

/** The audits that cost points in any run, the worst first. */
function faultsOf(results: readonly Result[]): string[] {
  const scores = new Map<string, number>()
  for (const { categories, audits } of results) {
    for (const { id, weight } of Object.values(categories).flatMap(({ auditRefs }) => auditRefs)) {
      const audit = audits[id]
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) continue
      const line = `${audit.title}${audit.displayValue ? `: ${audit.displayValue}` : ''} (${id})`
      scores.set(line, Math.min(scores.get(line) ?? 1, audit.score))
    }
  }
  return [...scores]
    .sort(([, one], [, other]) => one - other)
    .map(([line, score]) => `${line}, ${Math.round(score * 100)}`)
}
