import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { makeWorkerUtils, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Logger as PinoLogger } from 'pino'
import { traced } from '#database/frame/watching/cause.ts'
import { createBackoff, keepTrying } from '../retry/backoff.ts'
import { startLife } from './life.ts'
import { graphileLog } from './log.ts'
import { PatientPool } from './patient-pool.ts'

/** How often dead workers are searched for. Another worker takes over their jobs within half a minute. */
const checkEveryMillis = 10_000

/** A lane that ran for this long restarts without delay. */
const calmMillis = 60_000

/** A lane queries its first job well within this time. */
const startMillis = 5_000
const notStarted = () => {
  throw new Error('The worker did not start')
}

/** Tasks that share one queue and may delay each other, but no other tasks. */
export interface Lane {
  tasks: TaskList
  crontab?: string
}

/** The trace that queued a job is in its payload; periodic jobs begin one. */
function traceOf(payload: unknown): string | null {
  const trace = typeof payload === 'object' && payload !== null && 'trace' in payload ? payload.trace : null
  return typeof trace === 'string' ? trace : null
}

/** Tasks that run as spans of the trace that queued them. */
const tracedTasks = (tasks: TaskList): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (payload, helpers) =>
        traced(
          { name: `job ${name}`, kind: 'consumer', facts: { 'gettone.job': name }, parent: traceOf(payload) },
          async () => task?.(payload, helpers),
        ),
    ]),
  )

/** The most connections of a worker's pool. */
export const workerConnections = 10

/** Runs queued jobs, lane by lane, and releases the jobs of dead workers. `adminUrl` is the address of the queue's owner. */
export async function startJobs(
  adminUrl: string,
  log: PinoLogger,
  lanes: readonly Lane[],
  options: { checkEveryMillis?: number } = {},
): Promise<{ stop(): Promise<void> }> {
  const pool = new PatientPool({
    connectionString: adminUrl,
    max: workerConnections,
    // A connection that breaks during its start-up reports nothing: its loop waits for this time-out.
    connectionTimeoutMillis: 4_000,
    application_name: 'gettone_worker',
  })
  const onLost = (error: Error) => log.warn({ err: error }, 'Worker lost a connection')
  // The runner requires a listener for both kinds of loss.
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  const logger = graphileLog(log)
  const utils = await makeWorkerUtils({ pgPool: pool, logger })
  await utils.migrate()
  const life = await startLife(adminUrl, log)
  const stopped = new AbortController()
  const { signal } = stopped

  const onNoStart = (error: unknown) => log.warn({ err: error }, 'Worker could not start')

  /** Runs a lane until it ends or is stopped; `names` are the names of its job locks. */
  const start = async ({ tasks, crontab = '' }: Lane): Promise<{ runner: Runner; names: string[] }> => {
    const events: WorkerEvents = new EventEmitter()
    const names: string[] = []
    events.on('pool:create', ({ workerPool }) => names.push(workerPool.id))
    const queried = Promise.race([once(events, 'worker:getJob:empty'), once(events, 'job:start')])
    const runner = await run({
      pgPool: pool,
      taskList: tracedTasks(tasks),
      crontab,
      noHandleSignals: true,
      logger,
      events,
      preset: {
        worker: {
          concurrentJobs: 2,
          pollInterval: 2000,
          // Without a batch, a job whose end cannot be recorded rejects a promise that has no handler, which would
          // end this process.
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
        },
      },
    })
    try {
      for (const name of names) await life.add(name)
      // A runner whose connection breaks while it registers its tasks neither works nor ends.
      await Promise.race([queried, runner.promise, pause(startMillis, undefined, { ref: false }).then(notStarted)])
    } catch (error) {
      void runner.stop().catch(() => {})
      throw error
    }
    return { runner, names }
  }

  /** A lane ends when it cannot record the end of a job. Its jobs are released, and it restarts. */
  async function keepRunning(lane: Lane, first: { runner: Runner; names: string[] }): Promise<void> {
    const backoff = createBackoff()
    for (let current = first; ; ) {
      const startedAt = performance.now()
      running.add(current.runner)
      const err: unknown = await current.runner.promise.catch((error: unknown) => error)
      running.delete(current.runner)
      if (signal.aborted) return
      if (performance.now() - startedAt > calmMillis) backoff.worked()
      log.warn({ err }, 'Worker restarting after a failure')
      await pause(backoff.failed(), undefined, { signal })
      const { names } = current
      current = await keepTrying(
        async () => {
          await utils.forceUnlockWorkers(names)
          for (const name of names) await life.remove(name)
          return start(lane)
        },
        { signal, onFailure: onNoStart },
      )
      if (signal.aborted) await current.runner.stop()
    }
  }
  const running = new Set<Runner>()
  const endings: Promise<void>[] = []
  const onEnd = (err: unknown) => {
    // Stopping interrupts the wait before a restart.
    if (!signal.aborted) log.error({ err }, 'a lane of the worker has ended; its jobs wait for another process')
  }
  for (const lane of lanes) {
    const first = await keepTrying(() => start(lane), { signal, onFailure: onNoStart })
    endings.push(keepRunning(lane, first).catch(onEnd))
  }

  const look = () =>
    life
      .releaseDead((names) => utils.forceUnlockWorkers(names))
      .then(
        (names) => {
          if (names.length > 0) log.warn({ names }, 'A worker died; its jobs restart')
        },
        (error: unknown) => log.warn({ err: error }, 'Could not check for dead workers'),
      )
      .finally(() => {
        looking = undefined
      })
  // One check at a time: a stalled database delays the next.
  let looking: Promise<void> | undefined = look()
  const timer = setInterval(() => {
    looking ??= look()
  }, options.checkEveryMillis ?? checkEveryMillis)
  return {
    stop: async () => {
      clearInterval(timer)
      stopped.abort()
      pool.failFast()
      // A runner that is ending rejects.
      await Promise.all([...running].map((runner) => runner.stop().catch(() => {})))
      await Promise.all(endings)
      await looking
      await life.stop()
      await utils.release()
      await pool.end()
    },
  }
}
