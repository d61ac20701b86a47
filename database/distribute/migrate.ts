import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { distribute, isSpread } from './distribute.ts'
import { statementsOf } from './statements.ts'

const folder = new URL('../migrations/', import.meta.url)

/**
 * Migrates a database as its owner and sets the passwords of the two roles. Several processes may call it at once: one works, the others
 * wait. On a distributed database new tables are distributed too. It refuses a migration that was edited after it was applied, and a database whose first migration is not ours.
 */
export async function migrate(adminUrl: string, rolePassword = 'gettone'): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('gettone.migrations'))`)
    await client.query(
      'create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.digest]))
    const done: string[] = []
    const isOnNodes = await isSpread(client)
    const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    if (applied.size > 0 && !applied.has(String(names[0])))
      throw new Error('This database was made before the first release, or not by Gettone; begin with an empty one.')
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === digest) continue
      if (before) throw new Error(`Migration ${name} was changed after it had been applied; write a new one instead.`)
      await client.query('begin')
      // With foreign keys to reference tables, a transaction may use one connection per node only.
      if (isOnNodes) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
      for (const part of isOnNodes ? statementsOf(text) : [text]) await client.query(part)
      await client.query('insert into migrations (name, digest) values ($1, $2)', [name, digest])
      await client.query('commit')
      done.push(name)
    }
    if (isOnNodes && done.length > 0) await distribute(client, () => {})
    await setRolePassword(client, rolePassword)
    return done
  } finally {
    await client.end()
  }
}

async function setRolePassword(client: pg.Client, password: string): Promise<void> {
  const quoted = client.escapeLiteral(password)
  await client.query(`alter role gettone_app password ${quoted}; alter role gettone_system password ${quoted}`)
}
