import type pg from 'pg'
import { type CopyTarget, openCopy } from './copy.ts'

export interface MonthlyCopy {
  write(at: number, lines: string): void
  drained(): Promise<void>
  close(): Promise<void>
}

type Month = { start: number; end: number; partition: string; staging: string }

export const stagingPrefix = 'demo_staging_'

function monthsBetween(table: string, from: number, until: number): Month[] {
  const months: Month[] = []
  const first = new Date(from)
  for (let number = first.getUTCFullYear() * 12 + first.getUTCMonth(); ; number++) {
    const start = Date.UTC(Math.floor(number / 12), number % 12)
    if (start > until) return months
    const partition = `${table}_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`
    const end = Date.UTC(Math.floor((number + 1) / 12), (number + 1) % 12)
    months.push({ start, end, partition, staging: `${stagingPrefix}${partition}` })
  }
}

/**
 * Copies a partitioned table's rows into monthly staging tables without indexes. When all rows are in, these replace the
 * empty partitions. Building an index at once costs a fraction of updating it row by row.
 */
export async function openMonthlyCopy(
  adminUrl: string,
  table: string,
  columns: readonly string[],
  from: number,
  until: number,
): Promise<MonthlyCopy & { attach(client: pg.Client): Promise<void> }> {
  const months = monthsBetween(table, from, until)
  const targets: CopyTarget[] = await Promise.all(
    months.map(({ staging }) =>
      openCopy(adminUrl, `${staging} (${columns.join(', ')})`, {
        before: `create table ${staging} (like ${table} including defaults including constraints)`,
        options: 'with (freeze)',
      }),
    ),
  )
  let current = 0
  return {
    write(at, lines) {
      let month = months[current]
      if (!month || at < month.start || at >= month.end) {
        current = months.findIndex(({ start, end }) => at >= start && at < end)
        month = months[current]
      }
      const target = targets[current]
      if (!target) throw new RangeError(`${new Date(at).toISOString()} lies outside of the history.`)
      target.write(lines)
    },
    async drained() {
      for (const target of targets) await target.drained()
    },
    close: async () => {
      await Promise.all(targets.map((target) => target.close()))
    },
    async attach(client) {
      for (const { start, end, partition, staging } of months) {
        // One by one, as a coordinator of several nodes takes them.
        for (const statement of [
          'begin',
          `drop table ${partition}`,
          `alter table ${staging} rename to ${partition}`,
          `alter table ${table} attach partition ${partition}
            for values from ('${new Date(start).toISOString()}') to ('${new Date(end).toISOString()}')`,
          'commit',
        ])
          await client.query(statement)
      }
    },
  }
}

/** Drops the staging tables of an interrupted creation. */
export async function dropStaging(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and starts_with(relname, '${stagingPrefix}')`,
  )
  for (const { name } of rows) await client.query(`drop table ${name}`)
}
