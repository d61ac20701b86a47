import pg from 'pg'

/** The servers of a distributed run, the coordinator first, from CITUS_URLS; none in other runs. */
export const nodeUrls: readonly string[] = (process.env.CITUS_URLS ?? '').split(',').filter(Boolean)

/** Runs SQL in the database `postgres` of every server of the run. */
export async function onServers(servers: readonly string[], text: string): Promise<void> {
  for (const server of servers) {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
}

const inUse = (error: unknown) => (error as { code?: string }).code === '55006'

/**
 * Copies or renames a database on every node. Citus keeps a connection to each of its databases, and opens it again soon after it has
 * been ended, so the statement is tried until it gets between.
 */
export async function onNodes(database: string, text: string): Promise<void> {
  const end = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`
  for (const server of nodeUrls) {
    for (let tries = 1; ; tries += 1) {
      try {
        await onServers([server], end)
        await onServers([server], text)
        break
      } catch (error) {
        if (tries === 20 || !inUse(error)) throw error
      }
    }
  }
}
