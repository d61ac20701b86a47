import { sql } from 'kysely'
import type { DiskSample } from '#domain/frame/disk-forecast.ts'
import type { Doors } from '../frame/tenant.ts'

/** Rows that wait are counted to this number. */
const mostCounted = 10_000

export interface PlatformFigures {
  jobs: number
  failedJobs: number
  oldestJob: Date | null
  mails: number
  oldestMail: Date | null
  webhookMessages: number
  failingWebhooks: number
  exports: number
  failedExports: number
  oldestExport: Date | null
  deadLetters: number
  daysToSum: number
  monthsAhead: number
  longestStatement: number
  workers: number
  postgres: string
  schema: string
}

/** What waits, what failed and what runs, over all merchants. */
export const platformFigures = (doors: Doors, now: Date): Promise<PlatformFigures> =>
  doors.withSystem('platform status', async (db) => {
    const one = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row> => {
      const { rows } = await statement.execute(db)
      return rows[0] as Row
    }
    const day = sql`${now}::timestamptz - interval '1 day'`
    const jobs = await one(
      sql<{ jobs: number; failedJobs: number; oldestJob: Date | null }>`
        select waiting as jobs, failed as "failedJobs", oldest as "oldestJob" from job_figures()`,
    )
    const letters = await one(
      sql<{ n: number; oldest: Date | null }>`select count(*)::int as n, min(created_at) as oldest from staff_letters
        where sent_at is null and given_up_at is null and attempts > 0`,
    )
    const alarms = await one(
      sql<{
        n: number
        oldest: Date | null
      }>`select count(*)::int as n, min(planned_at) as oldest from alarm_notifications
        where sent_at is null and given_up_at is null and attempts > 0`,
    )
    const messages = await one(
      sql<{
        n: number
      }>`select count(*)::int as n from (select 1 from webhook_messages where state = 'waiting' limit ${mostCounted}) waiting`,
    )
    const failing = await one(
      sql<{ n: number }>`select count(*)::int as n from webhooks
        where (is_enabled and failing_since is not null) or (not is_enabled and stopped_at is not null)`,
    )
    const exports = await one(
      sql<{ exports: number; failedExports: number; oldestExport: Date | null }>`
        select count(*) filter (where status = 'waiting')::int as exports,
          count(*) filter (where status = 'failed' and ended_at > ${day})::int as "failedExports",
          min(created_at) filter (where status = 'waiting') as "oldestExport" from exports`,
    )
    const dead = await one(
      sql<{ n: number }>`select count(*)::int as n from dead_letters where replayed_at is null and at > ${day}`,
    )
    const days = await one(
      sql<{ n: number }>`select count(*)::int as n from (select 1 from changed_days limit ${mostCounted}) waiting`,
    )
    const server = await one(
      sql<Pick<PlatformFigures, 'monthsAhead' | 'longestStatement' | 'workers' | 'postgres' | 'schema'>>`select
        (select count(*)::int from pg_class where relname ~ '^transactions_\\d{4}_\\d\\d$'
          and relname > 'transactions_' || to_char(${now}::timestamptz at time zone 'UTC', 'YYYY_MM')) as "monthsAhead",
        longest_statement() as "longestStatement",
        (select count(*)::int from worker_processes) as workers,
        current_setting('server_version') as postgres,
        (select max(name) from migrations) as schema`,
    )
    const oldest = [letters.oldest, alarms.oldest].filter((at) => at !== null).sort((a, b) => a.getTime() - b.getTime())
    return {
      ...jobs,
      mails: letters.n + alarms.n,
      oldestMail: oldest[0] ?? null,
      webhookMessages: messages.n,
      failingWebhooks: failing.n,
      ...exports,
      deadLetters: dead.n,
      daysToSum: days.n,
      ...server,
    }
  })

/** Days of which the use of disks is kept. */
const daysKept = 28

/** Notes how full a disk is, and forgets what is too old. */
export const noteDisk = (doors: Doors, place: string, { at, used, total }: DiskSample): Promise<void> =>
  doors.withSystem('platform status', async (db) => {
    await sql`insert into disk_samples (place, at, used, total) values (${place}, ${at}, ${used}, ${total})
      on conflict (place, at) do nothing`.execute(db)
    await sql`delete from disk_samples where at < ${new Date(at.getTime() - daysKept * 86_400_000)}`.execute(db)
  })

/** The use of each disk in the last weeks, the oldest sample first. */
export const diskSamples = async (doors: Doors): Promise<Map<string, DiskSample[]>> => {
  const rows = await doors.withSystem(
    'platform status',
    (db) =>
      db.selectFrom('disk_samples').select(['place', 'at', 'used', 'total']).orderBy('place').orderBy('at').execute(),
    'single statement',
  )
  return Map.groupBy(
    rows.map(({ place, at, used, total }) => ({ place, at, used: Number(used), total: Number(total) })),
    ({ place }) => place,
  )
}
