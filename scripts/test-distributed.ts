// npm run test:distributed: the database and API tests on several nodes. CITUS_URLS has the addresses of servers with the extension
// citus, the coordinator first, as their superuser. Arguments choose files, as in Vitest. See docs/scaling.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ensurePortal } from './portal-build.ts'
import { type Report, totalsOf } from './test-totals.ts'
import { ensureTool, type Tool, tools } from './tools.ts'

const root = join(import.meta.dirname, '..')
const results = join(root, '.cache', 'distributed-results.json')
if (!process.env.CITUS_URLS) {
  console.log(
    'Usage: CITUS_URLS=postgres://owner@coordinator,postgres://owner@worker,… npm run test:distributed [-- files]',
  )
  process.exit(1)
}
for (const tool of Object.values<Tool>(tools)) process.env[tool.variable] = ensureTool(tool, console.log)
if (!ensurePortal()) process.exit(1)
mkdirSync(join(root, '.cache'), { recursive: true })
rmSync(results, { force: true })
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project=database', ...reporters, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
const report: Report | undefined = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : undefined
for (const { name, status: outcome, assertionResults } of report?.testResults ?? []) {
  const passed = assertionResults.filter((test) => test.status === 'passed').length
  if (outcome === 'passed') continue
  console.log(`${relative(root, name)}: ${passed} of ${assertionResults.length} passed`)
}
const { passed, failed } = totalsOf(report, status)
console.log(`${passed} passed, ${failed} failed, of ${report?.testResults.length ?? 0} files on several nodes`)
process.exit(failed > 0 ? 1 : 0)
