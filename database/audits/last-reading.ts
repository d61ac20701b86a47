import { sql } from 'kysely'
import { CodePage } from '#contract/audits/audit-content.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** What the last reading of a machine says about its next file. */
export interface LastReading {
  /** The code page of its text. */
  page: CodePage | null
  /** EA3: the machine's own time of it. Machines with a stopped clock do not date their readings. */
  ownTime: string | null
}

export async function lastReading(db: TenantDb, machineId: string): Promise<LastReading> {
  const { rows } = await sql<{ page: string | null; own_time: string | null }>`
    select
      (select content #>> '{envelope,codePage}' from audits
        where ${db.narrow('audits')} and machine_id = ${machineId}::uuid order by read_at desc limit 1) as page,
      (select counters #>> '{readings,at}' from audit_intervals
        where ${db.narrow('audit_intervals')} and machine_id = ${machineId}::uuid order by ends_at desc limit 1) as own_time`.execute(
    db.query,
  )
  return {
    page: CodePage.nullable()
      .catch(null)
      .parse(rows[0]?.page ?? null),
    ownTime: rows[0]?.own_time ?? null,
  }
}
