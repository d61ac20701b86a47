import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { openPools } from '#database/frame/pool.ts'
import { type Doors, openDoors, type Scope } from '#database/frame/tenant.ts'

export interface TestDatabase extends Doors {
  /** The owner's address, for actions that only an owner may take. */
  adminUrl: string
  pools: ReturnType<typeof openPools>
  /** Runs SQL as the owner, past row-level security. */
  admin<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Ends the owner's connections; the database stays. */
  release(): Promise<void>
  close(): Promise<void>
}

/** The password of the two roles in every test database. */
export const rolePassword = 'gettone'

/** A new database, copied from the migrated template or another one; months around today have their partitions. */
export async function openTestDatabase(template = inject('templateDatabase')): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = inject('postgresUrl')
  await runOnServer(`create database ${name} template ${template}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  const adminUrl = address.href
  const pools = openPools(adminUrl, rolePassword, 8)
  const owner = new pg.Pool({ connectionString: adminUrl, max: 3 })
  owner.on('error', () => {})
  return {
    ...openDoors(pools),
    adminUrl,
    pools,
    admin: async (text, values) => (await owner.query(text, values)).rows,
    release: () => owner.end(),
    close: async () => {
      await Promise.all([pools.end(), owner.end()])
      await runOnServer(`drop database if exists ${name} with (force)`)
    },
  }
}

/** The same, closed when the running test ends. */
export async function aDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  return database
}

/** Runs SQL on the run's server itself, for example to create or rename a database. */
export async function runOnServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Everything of one merchant. */
export const wholeMerchant = (merchantId: string): Scope => [{ merchantId, groups: 'all' }]
