import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { distribute } from '#database/distribute/distribute.ts'
import { migrate } from '#database/distribute/migrate.ts'
import { joinNodes } from '#database/distribute/nodes.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import {
  claimTemplate,
  dataDirOf,
  demoTemplateOf,
  dropAbandonedTemplates,
  removeAbandonedData,
} from './cluster/abandoned.ts'
import { nodeUrls, onServers } from './cluster/nodes.ts'
import { runFolders } from './cluster/run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the run's PostgreSQL, database `postgres`. */
    postgresUrl: string
    /** The migrated database from which each test file's own is copied. */
    templateDatabase: string
  }
}

const cache = join(import.meta.dirname, '..', '.cache')

/** One PostgreSQL for the whole run, shared by all its projects. */
type SharedRun = { users: number; ready: Promise<Running> }
type Running = { url: string; template: string; stop: () => Promise<void> }
const shared = globalThis as typeof globalThis & { gettoneTestPostgres?: SharedRun }

/** Starts a throw-away PostgreSQL (or takes the one of TEST_DATABASE_URL), migrates the template, and cleans up at the end. */
export default async function setup(project: TestProject) {
  shared.gettoneTestPostgres ??= { users: 0, ready: start() }
  const run = shared.gettoneTestPostgres
  run.users += 1
  const { url, template, stop } = await run.ready
  project.provide('postgresUrl', url)
  project.provide('templateDatabase', template)

  return async () => {
    run.users -= 1
    if (run.users > 0) return
    delete shared.gettoneTestPostgres
    await stop()
  }
}

async function start(): Promise<Running> {
  const external = nodeUrls[0] ?? process.env.TEST_DATABASE_URL
  if (external) return { url: external, ...(await makeTemplate(external)) }
  const folders = runFolders(cache)
  for (const folder of folders.all) {
    mkdirSync(folder, { recursive: true })
    await removeAbandonedData(folder)
  }
  const dataDir = dataDirOf(folders.now, process.pid)
  const output: string[] = []
  const server = await startEmbeddedPostgres({ dataDir, isThrowaway: true, log: (line) => output.push(line) })
  const stop = async () => {
    await server.stop()
    await removeEmbeddedPostgres(dataDir)
  }
  try {
    const made = await makeTemplate(server.url)
    return { url: server.url, ...made, stop: () => made.stop().finally(stop) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A migrated database to copy from. An open connection reserves it until `stop`. */
async function makeTemplate(adminUrl: string) {
  const admin = new pg.Client(adminUrl)
  admin.on('error', () => {})
  await admin.connect()
  const workers = nodeUrls.slice(1)
  const drop = async (name: string) => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await onServers(workers, `drop database if exists ${name} with (force)`)
  }
  // A server with the extension ends Citus' own connections to a database that is dropped.
  if (workers.length > 0) await onServers(nodeUrls, 'create extension if not exists citus')
  await dropAbandonedTemplates(admin, workers)
  const template = await claimTemplate(admin)
  await drop(template)
  await admin.query(`create database ${template}`)
  const url = new URL(adminUrl)
  url.pathname = `/${template}`
  await migrate(url.href)
  await makePartitions(url.href)
  if (workers.length > 0) {
    await spread(url.href, workers)
    // Citus would connect to it again between two copies.
    await onServers(nodeUrls, `alter database ${template} allow_connections false`)
  }
  const stop = async () => {
    await drop(demoTemplateOf(template))
    await drop(template).finally(() => admin.end())
  }
  return { template, stop }
}

/** Distributes the template, as an operator distributes a database. */
async function spread(url: string, workers: readonly string[]) {
  const say = () => {}
  const nodes = workers.map((worker) => new URL(worker).host)
  await joinNodes(url, nodes, say)
  const owner = new pg.Client(url)
  await owner.connect()
  try {
    await distribute(owner, say)
  } finally {
    await owner.end()
  }
}

/** The partitions of the months around today, which every copy then has. */
async function makePartitions(url: string) {
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query(`select ensure_partitions(now() - interval '100 days', now() + interval '40 days')`)
  // A database can be copied only while no connection to it is open.
  await owner.end()
}
