import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/* The server as a process of its own. */

const program = join(import.meta.dirname, '..', 'server', 'main.ts')

/** A data folder for this test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gettone-main-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the program until it ends, or stops it when it is ready. */
export async function run(environment: Record<string, string>, args: string[] = [], whenReady = async () => {}) {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, ...environment }, stdio: 'pipe' })
  let output = ''
  let isReady = false
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
      if (isReady || !output.includes('"msg":"ready"')) return
      isReady = true
      whenReady().finally(() => child.kill('SIGTERM'))
    })
  }
  const [code] = await once(child, 'close')
  return { code, output, sentences: output.trim().split('\n') }
}
