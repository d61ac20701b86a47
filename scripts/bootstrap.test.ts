import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { finishInstallation } from './installation.mjs'

/** A clone without packages to install, with the given script only. */
function aClone(script: string) {
  const root = mkdtempSync(join(tmpdir(), 'gettone-bootstrap-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of ['scripts', 'node_modules']) mkdirSync(join(root, folder))
  for (const file of ['bootstrap.mjs', 'installation.mjs'])
    copyFileSync(join(import.meta.dirname, file), join(root, 'scripts', file))
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }))
  writeFileSync(join(root, 'scripts/run.ts'), script)
  finishInstallation(root)
  return root
}

function start(root: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts/bootstrap.mjs'), 'scripts/run.ts', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => end(child))
  return child
}

/** Ends a process and its children: a remaining script would hold the tests' own output open. */
function end({ pid }: ChildProcess) {
  try {
    process.kill(-(pid as number), 'SIGKILL')
  } catch {
    // The whole group is gone already.
  }
}

test('a script gets its arguments and a Node 24 that npm finds first; its exit code is returned', async () => {
  const root = aClone(
    "const path: string = process.env.PATH ?? ''\nconsole.log(process.argv.slice(2).join(' '), path.startsWith(process.execPath.slice(0, -5)))\nprocess.exitCode = 7",
  )
  const child = start(root, '--https', '--role', 'api')
  const output = text(child.stdout)
  const [code] = await once(child, 'exit')
  expect(await output).toBe('--https --role api true\n')
  expect(code).toBe(7)
})

test('a signal reaches the script, which ends after its own clean-up', async () => {
  const root = aClone(
    "process.on('SIGTERM', () => setTimeout(() => { console.log('stopped'); process.exit(3) }, 200))\nsetInterval(() => {}, 1000)\nconsole.log('ready')",
  )
  const child = start(root)
  const output: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk))
  await expect.poll(() => output.join(''), { timeout: 10_000 }).toBe('ready\n')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(output.join('')).toBe('ready\nstopped\n')
  expect(code).toBe(3)
})

test('when only npm is ended, the script does not outlive it', async () => {
  const root = aClone(
    "process.on('SIGTERM', () => { console.log('stopped'); process.exit() })\nsetInterval(() => {}, 1000)\nconsole.log('ready')",
  )
  // As npm runs it: below a shell, which passes no signal on.
  const command = `"${process.execPath}" scripts/bootstrap.mjs scripts/run.ts; true`
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(() => end(shell))
  const output: string[] = []
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk))
  await expect.poll(() => output.join(''), { timeout: 10_000 }).toBe('ready\n')
  shell.kill('SIGTERM')
  await expect.poll(() => output.join(''), { timeout: 10_000 }).toBe('ready\nstopped\n')
})
