import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { demoAccounts } from '#demo/operators/people.ts'
import { ensureDemo } from '#demo/story.ts'
import { readConfig } from '#server/config.ts'
import { removeEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { openStorage } from '#server/postgres/storage.ts'
import type { FleetMember } from '#simulator/fleet.ts'
import { type Account, type Client, openClient } from './client.ts'

/** A server of the product on the demo's data, without a simulator or other clients. */
export interface Served {
  origin: string
  mqttPort: number
  pid: number
  signIn(role: 'superAdmin' | 'merchantAdmin'): Promise<Client>
  stop(): Promise<void>
}

export interface Installation {
  fleet: readonly FleetMember[]
  /** The owner's address of the database, and the password of the two roles. */
  databaseUrl: string
  rolePassword: string
  /** Starts the server in a separate process. */
  serve(roles?: readonly string[], database?: string): Promise<Served>
  /** A connection as the database's owner. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>, database?: string): Promise<T>
  /** A connection as the role that serves requests, under row-level security. */
  asApp(): Promise<pg.Client>
  /** Copies the database under another name; no connection to it may be open. */
  copyDatabase(name: string): Promise<void>
  stop(): Promise<void>
}

const secretKey = 'the benchmark keeps this to itself, 2026'
const root = join(import.meta.dirname, '..')

/** Cleanup functions. They run in reverse order, whatever ends the run. */
const cleanups: (() => Promise<void>)[] = []

/** Registers a cleanup that also runs if the run is interrupted. The returned function runs it now. */
export function cleanUpAtEnd(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  const once = () => {
    done ??= work().finally(() => cleanups.splice(cleanups.indexOf(once), 1))
    return done
  }
  cleanups.push(once)
  return once
}

/** Stops all processes and removes their data. */
export async function cleanUpAll(): Promise<void> {
  for (const work of [...cleanups].reverse()) await work()
}

/** A temporary folder; `remove` deletes it with its database. */
export function temporaryFolder(): { dataDir: string; remove: () => Promise<void> } {
  const dataDir = mkdtempSync(join(tmpdir(), 'gettone-bench-'))
  const remove = cleanUpAtEnd(async () => {
    await removeEmbeddedPostgres(join(dataDir, 'postgres'))
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { dataDir, remove }
}

/** PostgreSQL in a temporary folder, with the demo's merchants, machines and history. */
export async function install(
  say: (line: string) => void,
  { historyDays = 60, machines = 200, transactions = 1_000_000 } = {},
): Promise<Installation> {
  const { dataDir, remove } = temporaryFolder()
  const storage = await openStorage(
    readConfig({ DATA_DIR: dataDir, SECRET_KEY: secretKey }, { production: false }),
    () => {},
  )
  const { config } = storage
  const close = cleanUpAtEnd(() => storage.stop())
  const { adminUrl } = storage
  const log = pino({ level: 'silent' })
  const fleet = await ensureDemo({ adminUrl, doors: storage.doors, config, log, historyDays, machines, transactions })
  say(`${fleet.made?.machines} machines with ${fleet.made?.transactions} transactions of ${historyDays} days were made`)
  const databaseUrl = (database = 'gettone') => {
    const address = new URL(adminUrl)
    address.pathname = `/${database}`
    return address.href
  }
  const asOwner: Installation['asOwner'] = (work, database) => withClient(databaseUrl(database), work)
  // Autovacuum's work of the first minutes: otherwise the first measurements would differ from later ones.
  await asOwner((client) => client.query('vacuum analyze'))
  return {
    fleet: fleet.machines,
    databaseUrl: databaseUrl(),
    rolePassword: storage.config.rolePassword,
    asOwner,
    async serve(roles = ['api'], database) {
      const port = await freePort()
      const mqttPort = await freePort()
      const child = spawn(process.execPath, [join(root, 'server/main.ts'), '--role', roles.join(',')], {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl(database),
          SECRET_KEY: secretKey,
          PORT: String(port),
          USER_CALLS: '1000000',
          TOKEN_CALLS: '1000000',
          MQTT_PORT: String(mqttPort),
        },
      })
      const end = cleanUpAtEnd(() => ended(child))
      const origin = `http://localhost:${port}`
      await ready(origin, child)
      return {
        origin,
        mqttPort,
        pid: child.pid as number,
        signIn: (role) => openClient(origin, demoAccounts.find((account) => account.role === role) as Account),
        stop: end,
      }
    },
    async asApp() {
      const address = new URL(databaseUrl())
      address.username = 'gettone_app'
      address.password = storage.config.rolePassword
      const client = new pg.Client({ connectionString: address.href })
      await client.connect()
      return client
    },
    async copyDatabase(name) {
      await withClient(databaseUrl('postgres'), async (client) => {
        await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'gettone'`)
        await client.query(`create database ${name} template gettone strategy file_copy`)
      })
    },
    async stop() {
      await close()
      await remove()
    },
  }
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const patience = 180_000

/** Waits until a server is ready. */
export async function ready(origin: string, child: ChildProcess): Promise<void> {
  const givenUp = Date.now() + patience
  while (Date.now() < givenUp) {
    if (child.exitCode !== null)
      throw new Error(`The server ended with exit code ${child.exitCode} before it was ready.`)
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The server was not ready after ${patience / 1000} s.`)
}

/** Stops a process and waits until it has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await end
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
