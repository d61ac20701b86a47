import type pg from 'pg'
import { type Catalog, type ForeignKey, type Policy, planOf, type Step } from './plan.ts'

/** The database has none of the functions that distribute tables. */
export class NoCoordinatorError extends Error {
  constructor() {
    super('This database is no Citus coordinator: it has no create_distributed_table.')
    this.name = 'NoCoordinatorError'
  }
}

/**
 * Prepares a Citus coordinator, as the owner of the tables: all steps in one transaction, so that a run that fails leaves the foreign
 * keys as they were. `say` gets each step when it is done. Answers the steps; none when everything is distributed already.
 */
export async function distribute(owner: pg.ClientBase, say: (line: string) => void): Promise<Step[]> {
  await owner.query('begin')
  try {
    await owner.query(`select pg_advisory_xact_lock(hashtext('gettone.migrations'))`)
    const steps = planOf(await readCatalog(owner))
    // Foreign keys to reference tables let no transaction use several connections per node.
    if (steps.length > 0) await owner.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    for (const { does, sql } of steps) {
      await owner.query(sql)
      say(does)
    }
    await owner.query('commit')
    return steps
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

/** Reads what of the database concerns its distribution. */
export async function readCatalog(owner: pg.ClientBase): Promise<Catalog> {
  const functions = await owner.query<{ name: string }>(
    `select distinct proname as name from pg_proc where proname in ('create_distributed_table', 'create_reference_table')`,
  )
  if (functions.rows.length < 2) throw new NoCoordinatorError()
  const distributed = await owner.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  )
  const policies = await owner.query<Policy>(
    `select tablename as table, policyname as name,
       concat(qual, ' ', with_check) ~* '\\mselect\\M' as "hasSubSelect"
     from pg_policies where schemaname = 'public' order by 1, 2`,
  )
  // Those of partitions come and go with their table's.
  const keys = await owner.query<ForeignKey>(
    `select c.conrelid::regclass::text as table, c.conname as name, c.confrelid::regclass::text as target,
       pg_get_constraintdef(c.oid) as definition
     from pg_constraint c where c.contype = 'f' and c.conparentid = 0
       and c.connamespace = 'public'::regnamespace order by 1, 2`,
  )
  return {
    distributed: new Set(distributed.rows.map(({ name }) => name)),
    policies: policies.rows,
    keys: keys.rows,
  }
}
