// npm test: finds or installs the tools of the tests, checks the code, builds the portal, runs the tests, and ends
// with one line of totals. Arguments are passed to vitest: npm test -- domain/. `--full` (npm run test:full) adds the
// sweeps over all screens, the faults and the installers.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { unusedExceptions, usedExceptionsFile } from '../checks/statement-exceptions.ts'
import { check } from './check.ts'
import { ensurePortal } from './portal-build.ts'
import { type Totals, totalsOf } from './test-totals.ts'
import { ensureTool, type Tool, tools } from './tools.ts'

const root = join(import.meta.dirname, '..')
const report = join(root, '.cache', 'test-results.json')
/** Exceptions from the statement rules that tests used. */
const usedExceptions = join(root, '.cache', 'used-exceptions.txt')
const started = Date.now()
/** The steps for every change. */
const usual = ['unit', 'component', 'database', 'e2e']
const isFull = process.argv.includes('--full')
if (isFull) process.env.TEST_RUN = 'full'
const givenArguments = process.argv.slice(2).filter((argument) => argument !== '--full')

try {
  for (const tool of Object.values<Tool>(tools)) {
    const path = ensureTool(tool, step)
    process.env[tool.variable] = path
    step(`${tool.what}: ${path}`)
  }
  step('Checking types, lint and format')
  const checked = await check(false)
  if (!ensurePortal()) checked.failed.push('building the portal')
  const tested = runTests()
  // A run of some tests does not use all exceptions.
  if (givenArguments.length === 0)
    for (const name of unusedExceptions(readFileSync(usedExceptions, 'utf8')))
      checked.failed.push(`the exception "${name}" in checks/statement-exceptions.ts is not needed any more`)
  const passed = checked.passed.length + tested.passed
  const failed = checked.failed.length + tested.failed
  console.log('\nThe slowest files')
  for (const { name, seconds } of tested.slowest)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(root, name)}`)
  console.log(`\n${Math.round((Date.now() - started) / 1000)} s in total${processorTime()}`)
  for (const name of tested.skipped) console.log(`skipped: ${name}`)
  for (const name of checked.failed) console.log(`failed: ${name}`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed > 0 || tested.passed === 0 ? 1 : 0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.log('0 passed, 1 failed')
  process.exit(1)
}

function runTests(): Totals {
  mkdirSync(join(root, '.cache'), { recursive: true })
  rmSync(report, { force: true })
  writeFileSync(usedExceptions, '')
  process.env[usedExceptionsFile] = usedExceptions
  // A named file is found in any project.
  const projects = isFull || givenArguments.length > 0 ? [] : usual.map((project) => `--project=${project}`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...projects, ...givenArguments],
    { cwd: root, stdio: 'inherit' },
  )
  return totalsOf(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined, status)
}

/** The processor time of this process and its children, where the system reports it. */
function processorTime(): string {
  if (!existsSync('/proc/self/stat')) return ''
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return `, ${Math.round(ticks / 100)} s of processor time`
}

function step(line: string) {
  console.log(`· ${line}`)
}
