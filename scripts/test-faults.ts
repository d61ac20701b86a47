// npm run test:faults: kills, freezes and restarts what a gateway stands on, at full length; "npm test" runs a short form of each.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureTool, type Tool, tools } from './tools.ts'

for (const tool of Object.values<Tool>(tools)) process.env[tool.variable] = ensureTool(tool, console.log)
const { status } = spawnSync(
  process.execPath,
  [
    join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'faults',
    ...process.argv.slice(2),
  ],
  { cwd: join(import.meta.dirname, '..'), stdio: 'inherit', env: { ...process.env, FAULTS: 'full' } },
)
process.exit(status ?? 1)
