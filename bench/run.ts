// npm run bench: measures the promised speed and memory. Names select measurements: npm run bench -- list.
import { ensurePortal } from '../scripts/portal-build.ts'
import { javascript } from './browser/javascript.ts'
import { lighthouseScores } from './browser/lighthouse.ts'
import { scroll } from './browser/scroll.ts'
import { slowLineVisits } from './browser/slow-line.ts'
import { cashless } from './cashless.ts'
import { dashboard } from './dashboard.ts'
import { exporting } from './export.ts'
import { forecasts } from './forecast.ts'
import { idleConnections } from './idle-connections.ts'
import { ingest } from './ingest.ts'
import { cleanUpAll } from './installation.ts'
import { list } from './list.ts'
import { manyRows } from './lists.ts'
import { type Finding, isKept, type Measurement } from './measure.ts'
import { memory } from './memory.ts'
import { paging } from './paging.ts'
import { publish, table } from './report.ts'
import { rollouts } from './rollouts.ts'
import { rollups } from './rollups.ts'
import { scale } from './scale/scale.ts'
import { stock } from './stock.ts'
import { weekPlan } from './week-plan.ts'
import { years } from './years.ts'

const measurements: Record<string, Measurement> = {
  list,
  lists: manyRows,
  paging,
  dashboard,
  export: exporting,
  javascript,
  scroll,
  'slow-line': slowLineVisits,
  lighthouse: lighthouseScores,
  'idle-connections': idleConnections,
  ingest,
  rollups,
  rollouts,
  stock,
  forecast: forecasts,
  'week-plan': weekPlan,
  cashless,
  years,
  scale,
  memory,
}

const words = process.argv.slice(2)
const unknown = words.find((word) => !(word in measurements) && word !== '--quick' && word !== '--write')
if (unknown !== undefined) {
  console.error(
    `There is no measurement "${unknown}": npm run bench takes ${Object.keys(measurements).join(', ')}, --quick and --write.`,
  )
  process.exit(1)
}
const quick = words.includes('--quick')
const names = words.filter((word) => !word.startsWith('--'))
const selected = Object.entries(measurements).filter(([name]) => names.length === 0 || names.includes(name))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUpAll().finally(() => process.exit(130)))
}

// Servers do not start without it.
if (!ensurePortal()) process.exit(1)

const results: Record<string, Finding[]> = {}
const failed: string[] = []
for (const [name, { title, run }] of selected) {
  const startedAt = performance.now()
  console.log(`\n${name}: ${title}`)
  try {
    const findings = await run({ quick, say: (line) => console.log(`  ${line}`) })
    results[name] = findings
    console.log(table(findings))
  } catch (error) {
    failed.push(name)
    console.error(error)
  }
  await cleanUpAll()
  console.log(`  in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}
if (words.includes('--write')) publish(measurements, results)
const broken = Object.values(results)
  .flat()
  .filter((finding) => !isKept(finding))
if (broken.length > 0) console.error(`\nNot kept: ${broken.map(({ what }) => what).join('; ')}`)
if (failed.length > 0) console.error(`\nNot measured: ${failed.join(', ')}`)
process.exit(broken.length + failed.length > 0 ? 1 : 0)
