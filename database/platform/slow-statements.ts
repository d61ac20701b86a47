import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { withoutValues } from '#domain/frame/statement-text.ts'
import type { Doors } from '../frame/tenant.ts'
import type { SlowStatement } from '../frame/watching/statements.ts'

/** Statements without a slow run for so long are forgotten. */
const daysKept = 14
const mostKept = 500
/** So many are shown: the costliest. */
const mostShown = 20

const idOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Adds what a process has seen to what all have. */
export const noteSlowStatements = (doors: Doors, seen: readonly SlowStatement[], now: Date): Promise<void> =>
  doors.withSystem('platform status', async (db) => {
    for (const { text, count, totalMs, maximumMs, last } of seen)
      await sql`insert into slow_statements (id, text, calls, total_ms, maximum_ms, first_at, last_at)
        values (${idOf(text)}, ${text}, ${count}, ${totalMs}, ${maximumMs}, ${last}, ${last})
        on conflict (id) do update set calls = slow_statements.calls + excluded.calls,
          total_ms = slow_statements.total_ms + excluded.total_ms,
          maximum_ms = greatest(slow_statements.maximum_ms, excluded.maximum_ms),
          last_at = greatest(slow_statements.last_at, excluded.last_at)`.execute(db)
    await sql`delete from slow_statements where last_at < ${new Date(now.getTime() - daysKept * 86_400_000)}
      or id not in (select id from slow_statements order by last_at desc limit ${mostKept})`.execute(db)
  })

export interface StatementFigure {
  text: string
  count: number
  totalMs: number
  maximumMs: number
  /** Null: not known, since only PostgreSQL has seen it. */
  last: Date | null
}

export interface StatementFigures {
  /** `database`: all runs, by pg_stat_statements; `program`: the slow runs alone, as processes wait for them. */
  source: 'database' | 'program'
  statements: StatementFigure[]
}

type Counted = { text: string; calls: number; totalMs: number; maximumMs: number }

/** Of statements with one text without values, one. */
function merged(counted: readonly Counted[], lastOf: ReadonlyMap<string, Date>): StatementFigure[] {
  const figures = new Map<string, StatementFigure>()
  for (const one of counted) {
    const text = withoutValues(one.text)
    const known = figures.get(text)
    figures.set(text, {
      text,
      count: (known?.count ?? 0) + one.calls,
      totalMs: (known?.totalMs ?? 0) + one.totalMs,
      maximumMs: Math.max(known?.maximumMs ?? 0, one.maximumMs),
      last: lastOf.get(text) ?? null,
    })
  }
  return [...figures.values()]
}

/** Statements with a run of `fromMs` or longer, the costliest first. */
export const slowStatements = (doors: Doors, fromMs: number): Promise<StatementFigures> =>
  doors.withSystem('platform status', async (db) => {
    const { rows: own } = await sql<Counted & { last: Date }>`select text, calls, total_ms as "totalMs",
      maximum_ms as "maximumMs", last_at as last from slow_statements
      where maximum_ms >= ${fromMs} order by total_ms desc`.execute(db)
    const { rows } = await sql<{ figures: Counted[] | null }>`
      select statement_figures(${fromMs}, ${mostShown}) as figures`.execute(db)
    const seen = rows[0]?.figures
    const lastOf = new Map(own.map(({ text, last }) => [text, last]))
    return {
      source: seen ? 'database' : 'program',
      statements: merged(seen ?? own, lastOf).slice(0, mostShown),
    }
  })
