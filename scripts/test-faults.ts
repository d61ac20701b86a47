// npm run test:faults: kills, freezes and restarts a gateway's database, broker and processes, at full length; "npm run
// test:full" runs a short form of each. Arguments choose files, as in Vitest; --write puts the results into docs/faults.md; --from names the release that
// the test of upgrades begins with.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Finding } from '../faults/findings.ts'
import { publishFaults, tableOfFaults } from './faults-table.ts'
import { ensureTool, type Tool, tools } from './tools.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, '.cache', `faults-${process.pid}.jsonl`)
mkdirSync(join(root, '.cache'), { recursive: true })

for (const tool of Object.values<Tool>(tools)) process.env[tool.variable] = ensureTool(tool, console.log)
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, from: { type: 'string' } },
  allowPositionals: true,
})
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'faults', ...positionals],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FAULTS: 'full',
      FAULTS_FINDINGS: file,
      ...(values.from !== undefined && { UPGRADE_FROM: values.from }),
    },
  },
)
if (existsSync(file)) {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const findings = lines.map((line) => JSON.parse(line) as Finding)
  rmSync(file)
  console.log(`\n${tableOfFaults(findings)}`)
  if (values.write) publishFaults(join(root, 'docs/faults.md'), findings)
}
process.exit(status ?? 1)
