import { type Runner, run, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Logger as PinoLogger } from 'pino'
import { trimDeadLetters } from '#database/dead-letters.ts'
import { purgeExpiredIdentityState } from '#database/identity.ts'
import type { Doors } from '#database/tenant.ts'
import { graphileLog } from './log.ts'

/** Months of partitions that stand ahead of the data. */
const monthsAhead = 2

/** What could not be understood is kept for support, within reason. */
const keptDeadLetters = { days: 30, rows: 100_000 }

const crontab = `
17 * * * * ensurePartitions
*/10 * * * * purgeIdentityState
37 3 * * * trimDeadLetters
`

/** Creates the partitions of this month and the next ones; also at every start, since the worker may have been away. */
export const ensurePartitions = (doors: Doors) =>
  doors.withSystem('partitions', (db) =>
    sql`select ensure_partitions(now() - interval '1 month', now() + make_interval(months => ${monthsAhead}))`.execute(
      db,
    ),
  )

/** Runs what takes long or comes round: partitions, expiries, clearing up. */
export async function startWorker(deps: {
  adminUrl: string
  doors: Doors
  log: PinoLogger
}): Promise<{ stop(): Promise<void> }> {
  const { doors, log } = deps
  await ensurePartitions(doors)
  const taskList: TaskList = {
    ensurePartitions: async () => {
      await ensurePartitions(doors)
    },
    purgeIdentityState: async () => {
      await doors.withSystem('identity', (db) => purgeExpiredIdentityState(db, new Date()))
    },
    trimDeadLetters: () => trimDeadLetters(doors, keptDeadLetters),
  }
  const pool = new pg.Pool({ connectionString: deps.adminUrl, max: 4, application_name: 'gettone_worker' })
  const onLost = (error: Error) => log.warn({ err: error }, 'the worker lost a connection')
  // The runner wants to know that both kinds of loss are listened to.
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const runner: Runner = await run({
    pgPool: pool,
    taskList,
    crontab,
    concurrency: 2,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: graphileLog(log),
  })
  return {
    stop: async () => {
      await runner.stop()
      await pool.end()
    },
  }
}
