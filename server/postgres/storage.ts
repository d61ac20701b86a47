import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { migrate } from '#database/distribute/migrate.ts'
import { findDistributed } from '#database/frame/distributed.ts'
import { openPools, withUser } from '#database/frame/pool.ts'
import { type Doors, openDoors } from '#database/frame/tenant.ts'
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from './embedded.ts'

export interface Storage {
  doors: Doors
  /** The owner's address: for migrations, jobs and the demo's bulk load. */
  adminUrl: string
  /** The system role's address, for listening to hints. */
  systemUrl: string
  applied: string[]
  stop(): Promise<void>
}

/** Opens the database at DATABASE_URL, or the embedded one in the data folder, and migrates it. */
export async function openStorage(config: Config, say: (line: string) => void): Promise<Storage> {
  const server = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: join(resolve(config.DATA_DIR), 'postgres'), log: say })
  try {
    const adminUrl = config.DATABASE_URL ?? (await namedDatabase((server as { url: string }).url))
    const applied = await migrate(adminUrl, {
      rolePassword: config.rolePassword,
      version: config.version,
      onNewer: (version) =>
        say(
          `The database was upgraded by Gettone ${version}; this older version may run beside it until all are upgraded`,
        ),
    })
    const pools = openPools(adminUrl, config.rolePassword, config.DATABASE_POOL)
    await findDistributed(pools.system)
    return {
      doors: openDoors(pools),
      adminUrl,
      systemUrl: withUser(adminUrl, 'gettone_system', config.rolePassword),
      applied,
      stop: async () => {
        await pools.end()
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}

async function namedDatabase(serverUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'gettone'`)
    if (rowCount === 0) await client.query('create database gettone')
  } finally {
    await client.end()
  }
  const address = new URL(serverUrl)
  address.pathname = '/gettone'
  return address.href
}

/** The secret of a deployment without a configured one: created once, stored in the data folder, readable by its owner only. */
export function keptSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  const file = join(dataDir, 'secret-key')
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
