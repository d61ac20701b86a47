import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { roleGeneration } from '#database/deployment/secret.ts'
import { migrate } from '#database/distribute/migrate.ts'
import { findDistributed } from '#database/frame/distributed.ts'
import { openPools, type Pools, type RolePassword, withUser } from '#database/frame/pool.ts'
import { type Doors, openDoors } from '#database/frame/tenant.ts'
import type { Config } from '../config.ts'
import { rolePasswordOf, withDeploymentSecret } from '../secrets/deployment-secret.ts'
import { startEmbeddedPostgres } from './embedded.ts'

export interface Storage {
  doors: Doors
  /** The owner's address: for migrations, jobs and the demo's bulk load. */
  adminUrl: string
  /** The system role's address, for listening to hints; its password may be replaced while this process runs. */
  systemAddress: SystemAddress
  /** With the deployment's secret and the password that the two roles had at the start. */
  config: Config
  applied: string[]
  stop(): Promise<void>
}

export interface SystemAddress {
  url(): string
  /** Reads the password again, after the database has refused it. */
  renew(): Promise<void>
}

/** Opens the database at DATABASE_URL, or the embedded one in the data folder, and migrates it. */
export async function openStorage(config: Config, say: (line: string) => void): Promise<Storage> {
  const server = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: join(resolve(config.DATA_DIR), 'postgres'), log: say })
  try {
    const adminUrl = config.DATABASE_URL ?? (await namedDatabase((server as { url: string }).url))
    let opened = config
    const applied = await migrate(adminUrl, {
      rolePassword: async (owner) => {
        opened = await withDeploymentSecret(owner, config)
        return opened.rolePassword
      },
      version: config.version,
      onNewer: (version) =>
        say(
          `The database was upgraded by Gettone ${version}; this older version may run beside it until all are upgraded`,
        ),
    })
    const password = followRolePassword(adminUrl, opened)
    const pools = openPools(adminUrl, password, config.DATABASE_POOL)
    await findDistributed(pools.system)
    return {
      doors: openDoors(pools),
      adminUrl,
      systemAddress: {
        url: () => withUser(adminUrl, 'gettone_system', password.current),
        renew: password.renew,
      },
      config: opened,
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

/** Pools on a database that another process uses: it is not migrated. Throws a ConfigError for a SECRET_KEY that does not open it. */
export async function openRunning(adminUrl: string, config: Config, size = 2): Promise<Pools> {
  const opened = await asOwner(adminUrl, (owner) => withDeploymentSecret(owner, config))
  return openPools(adminUrl, followRolePassword(adminUrl, opened), size)
}

/** The password of the two roles, read again as the owner when the database refuses it; once for all that wait. */
export function followRolePassword(adminUrl: string, { secretKey, rolePassword }: Config): RolePassword {
  let current = rolePassword
  let reading: Promise<void> | undefined
  const read = () =>
    asOwner(adminUrl, async (owner) => {
      current = rolePasswordOf(secretKey, await roleGeneration(owner))
    })
  return {
    get current() {
      return current
    },
    renew() {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** One connection as the owner, closed after the work. */
export async function asOwner<T>(adminUrl: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 })
  owner.on('error', () => {})
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

async function namedDatabase(serverUrl: string): Promise<string> {
  await asOwner(serverUrl, async (owner) => {
    const { rowCount } = await owner.query(`select 1 from pg_database where datname = 'gettone'`)
    if (rowCount === 0) await owner.query('create database gettone')
  })
  const address = new URL(serverUrl)
  address.pathname = '/gettone'
  // In a schema of its own, which the two roles cannot read. A build may lack it.
  await asOwner(address.href, (owner) =>
    owner
      .query(`create schema if not exists statement_statistics;
        create extension if not exists pg_stat_statements with schema statement_statistics`)
      .catch(() => undefined),
  )
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
