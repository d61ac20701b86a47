import { randomUUID } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { migrate } from '#database/distribute/migrate.ts'
import { tables } from '#database/frame/registry.ts'
import { onServers } from './nodes.ts'

/** A database on one server alone, with the tables of the migrations. Returns its name. */
export async function createUndistributed(server: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServers([server], `create database ${name}`)
  const address = new URL(server)
  address.pathname = `/${name}`
  await migrate(address.href)
  await withClient(address.href, (client) =>
    client.query(`select ensure_partitions(now() - interval '100 days', now() + interval '40 days')`),
  )
  return name
}

/** Copies the rows of a database into a migrated one, each table after the tables that it refers to. */
export const copyRows = (source: string, target: string): Promise<void> =>
  withClient(source, (reader) =>
    withClient(target, async (writer) => {
      const names = await inOrderOfKeys(reader)
      for (const table of names.toReversed()) await writer.query(`delete from ${table}`)
      for (const table of names) {
        const { rows } = await reader.query<{ name: string }>(
          `select attname as name from pg_attribute
           where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
          [table],
        )
        const columns = rows.map(({ name }) => pg.escapeIdentifier(name)).join()
        const out = reader.query(to(`copy (select ${columns} from ${table}) to stdout`))
        await pipeline(out, writer.query(from(`copy ${table} (${columns}) from stdin`)))
      }
    }),
  )

/** The tables, each after the tables that its foreign keys refer to. */
async function inOrderOfKeys(reader: pg.Client): Promise<string[]> {
  const { rows } = await reader.query<{ table: string; others: string[] }>(
    `select c.relname as table, coalesce(array_agg(distinct f.relname::text) filter (where f.relname <> c.relname), '{}') as others
     from pg_class c left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' left join pg_class f on f.oid = k.confrelid
     where c.relname = any($1) and c.relnamespace = 'public'::regnamespace group by 1`,
    [Object.keys(tables)],
  )
  const left = new Map(rows.map(({ table, others }) => [table, others]))
  const sorted: string[] = []
  while (left.size > 0) {
    const free = [...left].filter(([, others]) => !others.some((other) => left.has(other))).map(([table]) => table)
    if (free.length === 0) throw new Error(`The keys of ${[...left.keys()].join()} go round in a circle.`)
    for (const table of free) left.delete(table)
    sorted.push(...free)
  }
  return sorted
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
