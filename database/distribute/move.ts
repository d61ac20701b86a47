import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { asNode } from './nodes.ts'

/** A merchant that this database does not have, or has on no node. */
export class UnplacedMerchantError extends Error {
  constructor(merchantId: string) {
    super(`${merchantId} is no merchant on a node of this database.`)
    this.name = 'UnplacedMerchantError'
  }
}

/** Held while a merchant moves: meanwhile no other process guards the tables against their owner again. */
export const moveLock = `hashtext('gettone.move')`

const lockWaitMs = 1_000
const lockTries = 120
/** SQLSTATE of a lock that was not given in time, and of a deadlock. */
const busy = ['55P03', '40P01']

const places = `select s.shard::text, n.nodename as host, n.nodeport as port
  from (select get_shard_id_for_distribution_column('merchant_settings', id) as shard from merchants where id = $1) s
  join pg_dist_placement p on p.shardid = s.shard join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`

const companions = `select count(*)::int as count from merchants
  where get_shard_id_for_distribution_column('merchant_settings', id) = $1`

/** The distributed tables with, or without, row-level security for their owner too. */
const guarded = `select c.oid::regclass::text as name from pg_class c join pg_dist_partition d on d.logicalrelid = c.oid
  where c.relrowsecurity and c.relforcerowsecurity = $1 order by 1`

/**
 * Moves a merchant, and all others of its shard, to another node (`host:port`) while machines sell. Rows are copied, changes follow by logical
 * replication, and writes wait only for the last of them. PostgreSQL lets no owner replicate into a table that is guarded against its owner, so for
 * this time the tables are not; the roles of Gettone stay guarded. `say` receives each finished step. Throws {@link UnplacedMerchantError}.
 */
export async function moveMerchant(
  owner: pg.ClientBase,
  merchantId: string,
  node: string,
  say: (line: string) => void,
): Promise<void> {
  const to = asNode(node)
  const { rows } = await owner.query<{ shard: string; host: string; port: number }>(places, [merchantId])
  const from = rows[0]
  if (!from) throw new UnplacedMerchantError(merchantId)
  if (from.host === to.host && from.port === Number(to.port)) {
    say(`Nothing to do: the merchant is on ${node}.`)
    return
  }
  const { rows: counted } = await owner.query<{ count: number }>(companions, [from.shard])
  await owner.query(`select pg_advisory_lock(${moveLock})`)
  try {
    const released = await eachTable(owner, true, 'no force')
    say(`${released} tables take replicated rows.`)
    await owner.query('select citus_move_shard_placement($1, $2, $3, $4, $5, $6)', [
      from.shard,
      from.host,
      from.port,
      to.host,
      Number(to.port),
      'force_logical',
    ])
    say(`Merchants moved from ${from.host}:${from.port} to ${node}: ${counted[0]?.count}.`)
  } finally {
    await eachTable(owner, false, 'force')
    await owner.query(`select pg_advisory_unlock(${moveLock})`)
  }
}

/** Changes the guard of all tables that are in the given state, one after the other, each as soon as no call uses it. */
async function eachTable(owner: pg.ClientBase, isForced: boolean, guard: 'force' | 'no force'): Promise<number> {
  const { rows } = await owner.query<{ name: string }>(guarded, [isForced])
  for (const { name } of rows) await whenFree(owner, `alter table ${name} ${guard} row level security`)
  return rows.length
}

/** Runs a statement that needs a table for itself. Calls queue behind it for a second at most; then it lets them pass and tries again. */
async function whenFree(owner: pg.ClientBase, statement: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await owner.query('begin')
    try {
      await owner.query(`set local citus.propagate_set_commands = 'local'`)
      await owner.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
      await owner.query(`set local lock_timeout = ${lockWaitMs}`)
      await owner.query(statement)
      await owner.query('commit')
      return
    } catch (error) {
      await owner.query('rollback')
      if (tries === lockTries || !(error instanceof pg.DatabaseError && busy.includes(error.code ?? ''))) throw error
      await pause(lockWaitMs)
    }
  }
}
