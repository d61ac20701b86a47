import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { openPools, withUser } from '#database/frame/pool.ts'
import { type Doors, openDoors, type Scope } from '#database/frame/tenant.ts'
import type { SystemAddress } from '#server/postgres/storage.ts'
import { askAsOwner, nodeUrls, onNodes, onServers, ownerOptions } from './cluster/nodes.ts'
import { createUndistributed } from './cluster/undistributed.ts'

export interface TestDatabase extends Doors {
  /** The owner's address, for actions that only an owner may take. */
  adminUrl: string
  pools: ReturnType<typeof openPools>
  /** Runs SQL as the owner, past row-level security. */
  admin<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Ends all connections; the database stays, and can be copied. */
  release(): Promise<void>
  close(): Promise<void>
}

/** The password of the two roles in every test database. */
export const rolePassword = 'gettone'

/** The system role's address in a test database, for what listens to hints. */
export const systemAddressOf = (adminUrl: string): SystemAddress => ({
  url: () => withUser(adminUrl, 'gettone_system', rolePassword),
  renew: async () => {},
})

/** A new database, copied from the migrated template or another one; months around today have their partitions. */
export async function openTestDatabase(template = inject('templateDatabase')): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(name, template)
  return opened(name)
}

/** A new database on the coordinator alone, in a run on several nodes. */
export const openUndistributed = async (): Promise<TestDatabase> =>
  opened(await createUndistributed(inject('postgresUrl')))

function opened(name: string): TestDatabase {
  const address = new URL(inject('postgresUrl'))
  address.pathname = `/${name}`
  const adminUrl = address.href
  const pools = openPools(adminUrl, rolePassword, 8)
  const owner = new pg.Pool({ connectionString: adminUrl, max: 3, ...ownerOptions })
  owner.on('error', () => {})
  let released: Promise<unknown> | undefined
  const release = async () => {
    released ??= Promise.all([pools.end(), owner.end()])
    await released
  }
  return {
    ...openDoors(pools),
    adminUrl,
    pools,
    admin: (text, values) => askAsOwner(owner, text, values),
    release,
    close: async () => {
      await release()
      await dropDatabase(name)
    },
  }
}

/** The same, closed when the running test ends. */
export async function aDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  return database
}

/** A copy of a database that is without connections, closed when the running test ends. */
export async function aCopyOf({ adminUrl }: TestDatabase): Promise<TestDatabase> {
  const database = await openTestDatabase(new URL(adminUrl).pathname.slice(1))
  onTestFinished(() => database.close())
  return database
}

/** The worker's connection to the run's server itself, for all databases that it creates and drops. */
let serverConnection: pg.Pool | undefined

/** Runs SQL on the run's server itself, or on each of several. */
async function runOnServer(text: string): Promise<void> {
  if (nodeUrls.length > 0) return onServers(nodeUrls, text)
  serverConnection ??= openServerConnection()
  await serverConnection.query(text)
}

function openServerConnection(): pg.Pool {
  // No timer closes it: a test may have stopped the clock.
  const pool = new pg.Pool({
    connectionString: inject('postgresUrl'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  return pool
}

function copyDatabase(name: string, template: string): Promise<void> {
  // Files copied by the system take half the processor time of pages that go through the log.
  const text = `create database ${name} template ${template} strategy file_copy`
  return nodeUrls.length > 0 ? onNodes(template, text) : runOnServer(text)
}

function dropDatabase(name: string): Promise<void> {
  const text = `drop database if exists ${name} with (force)`
  return nodeUrls.length > 0 ? onNodes(name, text) : runOnServer(text)
}

/** Renames a database that is without connections. */
export function renameDatabase(from: string, to: string): Promise<void> {
  const text = `alter database ${from} rename to ${to}`
  return nodeUrls.length > 0 ? onNodes(from, text) : runOnServer(text)
}

/** Everything of one merchant. */
export const wholeMerchant = (merchantId: string): Scope => [{ merchantId, groups: 'all' }]
