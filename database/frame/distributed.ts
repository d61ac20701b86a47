import type pg from 'pg'

let distributed: boolean | undefined

/** Says whether the database is distributed over several nodes; undefined: the database itself says it when it is first used. */
export function setDistributed(is: boolean | undefined): void {
  distributed = is
}

/**
 * Whether the database is distributed over several nodes. Then a transaction with data from machines covers one merchant, and many rows
 * are inserted as multi-row VALUES: Citus would run INSERT … SELECT as COPY, which PostgreSQL refuses under row-level security.
 */
export const isDistributed = (): boolean => distributed ?? false

let finding: Promise<boolean> | undefined

/** Finds out, once in this process, whether the tables of its database are on several nodes. */
export function findDistributed(pool: pg.Pool): Promise<boolean> | boolean {
  if (distributed !== undefined) return distributed
  finding ??= lookIn(pool).finally(() => {
    finding = undefined
  })
  return finding
}

async function lookIn(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as known`,
  )
  const found =
    rows[0]?.known === true &&
    (await pool.query('select 1 from pg_dist_partition where logicalrelid = $1::regclass', ['public.merchants']))
      .rowCount === 1
  distributed = found
  return found
}
