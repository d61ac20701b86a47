import { EventEmitter } from 'node:events'
import { makeWorkerUtils, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Logger as PinoLogger } from 'pino'
import { startLife } from './life.ts'
import { graphileLog } from './log.ts'

/** A worker that died is noticed so soon that another has its job well within half a minute. */
const lookEveryMillis = 10_000

/** Tasks that keep each other from their turn, and no others. */
export interface Lane {
  tasks: TaskList
  crontab?: string
}

/**
 * Works off the queue, each lane by itself, and gives back the jobs of workers that have died. `adminUrl` is the owner's, whom the
 * queue belongs to.
 */
export async function startJobs(
  adminUrl: string,
  log: PinoLogger,
  lanes: readonly Lane[],
  options: { lookEveryMillis?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: adminUrl, max: 8, application_name: 'gettone_worker' })
  const onLost = (error: Error) => log.warn({ err: error }, 'the worker lost a connection')
  // The runner wants to know that both kinds of loss are listened to.
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const logger = graphileLog(log)
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  const life = await startLife(adminUrl, log)

  const start = async ({ tasks, crontab = '' }: Lane) => {
    // Jobs are locked under the name of the pool that runs them.
    const events: WorkerEvents = new EventEmitter()
    const added: Promise<void>[] = []
    events.on('pool:create', ({ workerPool }) => added.push(life.add(workerPool.id)))
    const runner = await run({
      pgPool: pool,
      taskList: tasks,
      crontab,
      concurrency: 2,
      pollInterval: 2000,
      noHandleSignals: true,
      logger,
      events,
    })
    await Promise.all(added)
    return runner
  }
  const runners: Runner[] = []
  for (const lane of lanes) runners.push(await start(lane))

  const look = () =>
    life
      .buryDead((names) => utils.forceUnlockWorkers(names))
      .then(
        (names) => {
          if (names.length > 0) log.warn({ names }, 'a worker has died; its jobs begin anew')
        },
        (error: unknown) => log.warn({ err: error }, 'could not look for dead workers'),
      )
  let looking = look()
  const timer = setInterval(() => {
    looking = look()
  }, options.lookEveryMillis ?? lookEveryMillis)
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(runners.map((runner) => runner.stop()))
      await looking
      await life.stop()
      await utils.release()
      await pool.end()
    },
  }
}
