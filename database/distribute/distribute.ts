import type pg from 'pg'
import { moveLock } from './move.ts'
import { type Catalog, type ForeignKey, type Policy, planOf, type Step } from './plan.ts'

/** The database lacks the functions that distribute tables. */
export class NoCoordinatorError extends Error {
  constructor() {
    super('This database is no Citus coordinator: it has no create_distributed_table.')
    this.name = 'NoCoordinatorError'
  }
}

/**
 * Prepares a Citus coordinator as the owner of the tables, in one transaction, so that a failed run changes nothing. `say` receives each
 * finished step. Returns the steps; none if everything is distributed.
 */
export async function distribute(owner: pg.ClientBase, say: (line: string) => void): Promise<Step[]> {
  await owner.query('begin')
  try {
    await owner.query(`select pg_advisory_xact_lock(hashtext('gettone.migrations'))`)
    const steps = planOf(await readCatalog(owner))
    // With foreign keys to reference tables, a transaction may use one connection per node only.
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

/** Whether tables of this database are on several nodes. */
export async function isSpread(client: pg.ClientBase): Promise<boolean> {
  const { rows: known } = await client.query<{ known: boolean }>(
    `select to_regprocedure('is_spread()') is not null as known`,
  )
  if (!known[0]?.known) return false
  const { rows } = await client.query<{ spread: boolean }>('select is_spread() as spread')
  return rows[0]?.spread === true
}

/** Roles that lack the setting on some node. */
const deafRoles = `select distinct unnest(string_to_array(nullif(result, ''), ',')) as name from run_command_on_all_nodes($$
  select string_agg(rolname, ',') from pg_roles where rolname in ('gettone_app', 'gettone_system')
    and not coalesce('citus.propagate_set_commands=local' = any(rolconfig), false) $$) order by 1`

/** Reads the part of the catalog that distribution needs. */
export async function readCatalog(owner: pg.ClientBase): Promise<Catalog> {
  const citus = await owner.query<{ name: string }>(
    `select distinct proname as name from pg_proc where proname in ('create_distributed_table', 'create_reference_table')`,
  )
  if (citus.rows.length < 2) throw new NoCoordinatorError()
  const distributed = await owner.query<{ name: string }>(
    'select logicalrelid::regclass::text as name from pg_dist_partition',
  )
  const policies = await owner.query<Policy>(
    `select tablename as table, policyname as name,
       concat(qual, ' ', with_check) ~* '\\mselect\\M' as "hasSubSelect"
     from pg_policies where schemaname = 'public' order by 1, 2`,
  )
  // Keys of partitions follow their table's.
  const keys = await owner.query<ForeignKey>(
    `select c.conrelid::regclass::text as table, c.conname as name, c.confrelid::regclass::text as target,
       pg_get_constraintdef(c.oid) as definition
     from pg_constraint c where c.contype = 'f' and c.conparentid = 0
       and c.connamespace = 'public'::regnamespace order by 1, 2`,
  )
  // In the order of their creation, as they call each other. What reads tables in the name of another role stays on the coordinator.
  const functions = await owner.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
       and not p.prosecdef and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
       and not exists (select 1 from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
     order by p.oid`,
  )
  const unforced = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_dist_partition d on d.logicalrelid = c.oid
     where c.relrowsecurity and not c.relforcerowsecurity and pg_try_advisory_xact_lock(${moveLock}) order by 1`,
  )
  const deaf = await owner.query<{ name: string }>(deafRoles)
  return {
    functions: functions.rows.map(({ name }) => name),
    unforced: unforced.rows.map(({ name }) => name),
    deafRoles: deaf.rows.map(({ name }) => name),
    distributed: new Set(distributed.rows.map(({ name }) => name)),
    policies: policies.rows,
    keys: keys.rows,
  }
}
