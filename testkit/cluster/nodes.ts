import { setTimeout as pause } from 'node:timers/promises'
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
 * Copies, renames or drops a database on every node. Citus keeps a connection to each of its databases, and opens it again soon after it has
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
        if (tries === 60 || !inUse(error)) throw error
        await pause(Math.random() * 200)
      }
    }
  }
}

const relations = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition`
/** Joins that would move rows between nodes have the code of an internal error. */
const notSupported = (error: unknown) => ['0A000', 'XX000'].includes(String((error as { code?: string }).code))

/**
 * Runs a statement of a test as the owner. Several nodes do not join rows of several merchants in every way, so a query that they refuse
 * runs on copies of the tables on the coordinator.
 */
export async function askAsOwner<R extends pg.QueryResultRow>(
  owner: pg.Pool,
  text: string,
  values?: unknown[],
): Promise<R[]> {
  try {
    return (await owner.query<R>(text, values)).rows
  } catch (error) {
    const [, word, rest] = /^\s*(select|with)\b(.*)$/is.exec(text) ?? []
    if (nodeUrls.length === 0 || !notSupported(error) || rest === undefined) throw error
    const { rows } = await owner.query<{ name: string }>(relations)
    const copies = rows
      .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text))
      .map(({ name }) => `${name} as materialized (select * from public.${name} offset 0)`)
    if (copies.length === 0) throw error
    const asked = word?.toLowerCase() === 'with' ? `,${rest}` : ` ${word}${rest}`
    return (await owner.query<R>(`with ${copies.join()}${asked}`, values)).rows
  }
}

/** Settings of the owner's connections in a test: one connection to each node in a transaction, which tables may change in any order. */
export const ownerOptions = nodeUrls.length > 0 ? { options: '-c citus.multi_shard_modify_mode=sequential' } : {}
