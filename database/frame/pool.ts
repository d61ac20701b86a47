import pg from 'pg'

/** Whole numbers come as numbers (amounts stay far below 2^53), days as text, instants as Dates. */
export const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.DATE, (text) => text)

export interface Pools {
  /** Logs in as gettone_app: sees one tenant's rows at a time. */
  app: pg.Pool
  /** Logs in as gettone_system: for the allow-listed work that crosses tenants. */
  system: pg.Pool
  end(): Promise<void>
}

/** Opens the two pools on the database of `adminUrl` (its user is not used) with the roles' own password. */
export function openPools(adminUrl: string, rolePassword: string, size = 20): Pools {
  const open = (user: string, max: number) => {
    const pool = new pg.Pool({
      connectionString: withUser(adminUrl, user, rolePassword),
      max,
      types,
      idleTimeoutMillis: 30_000,
      connectionTimeoutMillis: 30_000,
      application_name: user,
      keepAlive: true,
    })
    // A connection that breaks while it is idle, or between two statements of a transaction, is replaced at the next use or fails
    // the next statement; without a listener for both it would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const app = open('gettone_app', size)
  const system = open('gettone_system', Math.max(5, Math.ceil(size / 2)))
  return {
    app,
    system,
    end: async () => {
      await Promise.all([app.end(), system.end()])
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
