import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#database/migrate.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the run's PostgreSQL, database `postgres`. */
    postgresUrl: string
    /** The migrated database that each test file's own is copied from. */
    templateDatabase: string
  }
}

const cache = join(import.meta.dirname, '..', '.cache')
const prefix = 'test-postgres-'
const templateDatabase = 'gettone_template'

/** One PostgreSQL for the whole run, whichever projects take part in it. */
type SharedRun = { users: number; ready: Promise<{ url: string; server?: EmbeddedPostgres }> }
const shared = globalThis as typeof globalThis & { gettoneTestPostgres?: SharedRun }

/** Starts a throw-away PostgreSQL (or takes the one of TEST_DATABASE_URL), migrates the template, and cleans up at the end. */
export default async function setup(project: TestProject) {
  shared.gettoneTestPostgres ??= { users: 0, ready: start() }
  const run = shared.gettoneTestPostgres
  run.users += 1
  const { url, server } = await run.ready
  project.provide('postgresUrl', url)
  project.provide('templateDatabase', templateDatabase)

  return async () => {
    run.users -= 1
    if (run.users > 0) return
    delete shared.gettoneTestPostgres
    if (!server) return
    await server.stop()
    await removeEmbeddedPostgres(dataDirOf(process.pid))
  }
}

async function start() {
  const external = process.env.TEST_DATABASE_URL
  if (external) {
    await makeTemplate(external)
    return { url: external }
  }
  mkdirSync(cache, { recursive: true })
  await removeAbandoned()
  const said: string[] = []
  const server = await startEmbeddedPostgres({
    dataDir: dataDirOf(process.pid),
    isThrowaway: true,
    log: (line) => said.push(line),
  })
  try {
    await makeTemplate(server.url)
  } catch (error) {
    await server.stop()
    await removeEmbeddedPostgres(dataDirOf(process.pid))
    throw error
  }
  return { url: server.url, server }
}

const dataDirOf = (pid: number) => join(cache, `${prefix}${pid}`)

/** Runs that were killed leave their data; a run that lives refuses to be removed. */
async function removeAbandoned() {
  for (const name of readdirSync(cache).filter((name) => name.startsWith(prefix))) {
    await removeEmbeddedPostgres(join(cache, name)).catch(() => {})
  }
}

async function makeTemplate(adminUrl: string) {
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  await admin.query(`drop database if exists ${templateDatabase} with (force)`)
  await admin.query(`create database ${templateDatabase}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${templateDatabase}`
  await migrate(url.href)
}
