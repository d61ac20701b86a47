// npm run check: all checks of the code that do not run it. npm test runs the tests of checks/ with the others and
// leaves them out here (--without-tests).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePortal } from './portal-build.ts'

const root = join(import.meta.dirname, '..')
const bin = (path: string) => join(root, 'node_modules', path)

type Step = { name: string; args: string[] }

const steps: Step[] = [
  { name: 'types', args: [bin('typescript/bin/tsc'), '--noEmit'] },
  { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--quiet'] },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'check', '--diagnostic-level=warn'] },
]
const tests: Step = { name: 'checks', args: [bin('vitest/vitest.mjs'), 'run', 'checks/'] }

/** Runs the steps together, shows the output of each when it ends, and returns the failed steps. */
export async function check(withTests: boolean): Promise<{ passed: string[]; failed: string[] }> {
  const passed: string[] = []
  const failed: string[] = []
  await Promise.all(
    steps.map(async (step) => {
      const { code, output, seconds } = await run(step)
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)${code === 0 ? '' : `\n${output}`}`)
      ;(code === 0 ? passed : failed).push(step.name)
    }),
  )
  if (withTests) {
    // One check measures the built portal.
    if (!ensurePortal()) failed.push('building the portal')
    const { code, output } = await run(tests)
    console.log(output)
    ;(code === 0 ? passed : failed).push(tests.name)
  }
  return { passed, failed }
}

function run({ args }: Step): Promise<{ code: number | null; output: string; seconds: string }> {
  const started = Date.now()
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output, seconds: ((Date.now() - started) / 1000).toFixed(1) }))
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { failed } = await check(true)
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`)
  process.exit(failed.length > 0 ? 1 : 0)
}
