import pg from 'pg'

/** Integers are parsed as numbers (amounts stay far below 2^53), dates as text, instants as Date. */
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.DATE, (text) => text)
// pg has no name for arrays of dates.
const dateArray = 1182 as typeof pg.types.builtins.DATE
types.setTypeParser(dateArray, (text) => text.slice(1, -1).split(',').filter(Boolean))
for (const type of [pg.types.builtins.TIMESTAMP, pg.types.builtins.TIMESTAMPTZ] as const) {
  const read = pg.types.getTypeParser(type) as (text: string) => Date | number | null
  types.setTypeParser(type, (text) => instantOf(text, read(text)))
}

/** The driver reads an instant in another date style as null, which would pass for an open bound. */
function instantOf(text: string, instant: Date | number | null): Date | number {
  const isRead = instant instanceof Date ? !Number.isNaN(instant.getTime()) : instant !== null
  if (!isRead) throw new TypeError(`PostgreSQL wrote ${text}, which is no ISO instant`)
  return instant as Date | number
}

export interface Pools {
  /** Connects as gettone_app, which sees the tenants of the scope only. */
  app: pg.Pool
  /** Connects as gettone_app, to read merchants at the same time. A call that waits for one of these connections holds none of them. */
  apart: pg.Pool
  /** Connects as gettone_system, for allow-listed work across tenants. */
  system: pg.Pool
  end(): Promise<void>
}

/** The password of the two roles, which may be replaced while this process runs. */
export interface RolePassword {
  readonly current: string
  /** Reads it again, after the database has refused it. */
  renew(): Promise<void>
}

/** A password was refused, or its role does not exist (SQLSTATE). */
const invalidPassword = '28P01'
export const isPasswordRefused = (error: unknown): boolean => (error as { code?: string }).code === invalidPassword

/** A pool whose connections follow a password that is replaced while they are used. */
class RolePool extends pg.Pool {
  readonly #password: RolePassword
  readonly #addressOf: (password: string) => string

  constructor(addressOf: (password: string) => string, password: RolePassword, options: pg.PoolConfig) {
    super({ ...options, connectionString: addressOf(password.current) })
    this.#password = password
    this.#addressOf = addressOf
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const client = this.#connect()
    if (!callback) return client
    client.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await super.connect()
    } catch (error) {
      if (!isPasswordRefused(error)) throw error
      await this.#password.renew()
      // Read by the pool at each new connection.
      this.options.connectionString = this.#addressOf(this.#password.current)
      return super.connect()
    }
  }
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error) => void) => void

/** Opens the pools on the database of `adminUrl` (its user is not used) with the password of the roles. */
export function openPools(adminUrl: string, rolePassword: string | RolePassword, size = 20): Pools {
  const password = typeof rolePassword === 'string' ? { current: rolePassword, renew: async () => {} } : rolePassword
  const open = (user: string, max: number) => {
    const pool = new RolePool((text) => withUser(adminUrl, user, text), password, {
      max,
      types,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 30_000,
      application_name: user,
      keepAlive: true,
    })
    // A connection may break while idle or between two statements. The pool replaces it, or the next statement fails; without both
    // listeners the error would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const app = open('gettone_app', size)
  const apart = open('gettone_app', Math.max(4, Math.ceil(size / 2)))
  const system = open('gettone_system', Math.max(5, Math.ceil(size / 2)))
  return {
    app,
    apart,
    system,
    end: async () => {
      await Promise.all([app.end(), apart.end(), system.end()])
    },
  }
}

/** The same database address for another user. */
export function withUser(url: string, user: string, password: string): string {
  const address = new URL(url)
  address.username = encodeURIComponent(user)
  address.password = encodeURIComponent(password)
  return address.href
}
