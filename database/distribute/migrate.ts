import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { setRolePassword } from '../deployment/secret.ts'
import { withUser } from '../frame/pool.ts'
import { distribute, isSpread } from './distribute.ts'
import { statementsOf } from './statements.ts'

const folder = new URL('../migrations/', import.meta.url)

/** A database that this program must not use. */
export class SchemaError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'SchemaError'
  }
}

interface Applied {
  name: string
  digest: string
  version: string | null
  contracts: boolean
  applied_at: Date
}

export interface MigrationOrder {
  /** Of the two roles; a function may read it from the migrated database, as the owner. */
  rolePassword?: string | ((owner: pg.Client) => Promise<string>)
  /** Of the program; noted beside each migration. */
  version?: string
  /** Called when a newer program has added to the schema what this one does not know. */
  onNewer?: (version: string) => void
}

/**
 * A migration that takes away what programs of the version before need begins with this line, and says what. All others only add, so that old and new
 * programs run side by side during an upgrade.
 */
const contractLine = /^-- contract: \S/

/**
 * Migrates a database as its owner and sets the passwords of the two roles. Several processes may call it at once: one works, the others
 * wait. On a distributed database new tables are distributed too. Throws a SchemaError for a migration that was edited after it was applied, a database whose first
 * migration is not ours, and a schema of a newer program that took away what this one needs.
 */
export async function migrate(
  adminUrl: string,
  { rolePassword = 'gettone', version, onNewer }: MigrationOrder = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('gettone.migrations'))`)
    await client.query(
      `create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null default now());
       alter table migrations add column if not exists version text, add column if not exists contracts boolean not null default false`,
    )
    const { rows } = await client.query<Applied>('select name, digest, version, contracts, applied_at from migrations')
    const applied = new Map(rows.map((row) => [row.name, row.digest]))
    const done: string[] = []
    const isOnNodes = await isSpread(client)
    const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
    if (applied.size > 0 && !applied.has(String(names[0])))
      throw new SchemaError(
        'This database was made before the first release, or not by Gettone; begin with an empty one.',
      )
    meetNewer(
      rows.filter(({ name }) => !names.includes(name)),
      onNewer,
    )
    await letOwnerPass(client)
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === digest) continue
      if (before)
        throw new SchemaError(`Migration ${name} was changed after it had been applied; write a new one instead.`)
      await joinRoles(client)
      await client.query('begin')
      // With foreign keys to reference tables, a transaction may use one connection per node only.
      if (isOnNodes) await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
      for (const part of isOnNodes ? statementsOf(text) : [text]) await client.query(part)
      await client.query('insert into migrations (name, digest, version, contracts) values ($1, $2, $3, $4)', [
        name,
        digest,
        version ?? null,
        contractLine.test(text),
      ])
      await client.query('commit')
      await letOwnerPass(client)
      done.push(name)
    }
    if (isOnNodes && done.length > 0) await distribute(client, () => {})
    const password = typeof rolePassword === 'string' ? rolePassword : await rolePassword(client)
    await setRolePassword(client, password).catch(async (error: unknown) => {
      // A node that is away takes no password. It needs none, unless the password is a new one.
      if (!isOnNodes || !(await isPasswordOfRoles(adminUrl, password))) throw error
    })
    return done
  } finally {
    await client.end()
  }
}

/** Whether the two roles sign in with this password on the coordinator. */
async function isPasswordOfRoles(adminUrl: string, password: string): Promise<boolean> {
  for (const role of ['gettone_app', 'gettone_system'] as const) {
    const client = new pg.Client({
      connectionString: withUser(adminUrl, role, password),
      connectionTimeoutMillis: 10_000,
    })
    const isIn = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => undefined)
    if (!isIn) return false
  }
  return true
}

/** Migrations that this program does not know are of a newer one. */
function meetNewer(newer: readonly Applied[], onNewer: MigrationOrder['onNewer']): void {
  const by = newer.findLast(({ version }) => version !== null)?.version ?? 'a newer version'
  const contracted = newer.filter(({ contracts }) => contracts).toSorted((a, b) => +a.applied_at - +b.applied_at)[0]
  if (contracted)
    throw new SchemaError(
      `This database was upgraded by Gettone ${by} at ${contracted.applied_at.toISOString()} and lacks what this version needs: start that version or a later one, or restore a backup from before.`,
    )
  if (newer.length > 0) onNewer?.(by)
}

/** Who gives a function to a role must be its member. Who creates roles may join them, but is no member: PostgreSQL 15 does nothing, and 16 gives no use of them. */
async function joinRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select rolname as name from pg_roles where rolname in ('gettone_app', 'gettone_system') and not pg_has_role(oid, 'usage')`)
  for (const { name } of rows) await client.query(`grant ${name} to current_user`)
}

/**
 * Row-level security holds for the owner of a tenant table too: without a policy, an owner who is no superuser would see and change none of its rows, and a
 * migration of data would do nothing without an error. A table at a time, so that no transaction of a running process waits for long.
 */
async function letOwnerPass(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_roles r on r.oid = c.relowner
    where r.rolname = current_user and not r.rolsuper and not r.rolbypassrls and c.relforcerowsecurity
      and not exists (select 1 from pg_policy p where p.polrelid = c.oid and r.oid = any(p.polroles))`)
  for (const { name } of rows)
    await client.query(`create policy migrations on ${name} to current_user using (true) with check (true)`)
}
