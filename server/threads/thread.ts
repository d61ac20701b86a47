import { type TransferListItem, Worker } from 'node:worker_threads'
import { isSystemError } from '#database/frame/transient.ts'
import { StoppedError } from './stopped.ts'

export interface Thread<Task, Answer> {
  /**
   * The thread's answer to a task, in the order of the calls. Rejects with ThreadEndedError if the task crashed the thread or took too long,
   * with the system's error if no thread can start, and with StoppedError if the thread was stopped first.
   */
  run(task: Task, transfer?: readonly TransferListItem[]): Promise<Answer>
  stop(): Promise<void>
}

/** The thread ended on this task, which must be set aside: it would end the next thread too. */
export class ThreadEndedError extends Error {
  constructor(cause?: Error) {
    super('The thread ended on its task', { cause })
    this.name = 'ThreadEndedError'
  }
}

/** The system had no memory or descriptors for a thread. The task is not the cause. */
const isOfTheSystem = (cause: NodeJS.ErrnoException | undefined): cause is NodeJS.ErrnoException =>
  cause?.code === 'ERR_WORKER_INIT_FAILED' || isSystemError(cause)

/**
 * Runs tasks in a separate thread, one after another, so that a long one does not block the event loop. The thread starts with the first
 * task, and again after a crash. `script` answers each message with one message. A task may take `timeoutMs`, without end by default.
 */
export function createThread<Task, Answer>(
  script: URL,
  { megabytes, timeoutMs }: { megabytes: number; timeoutMs?: number },
): Thread<Task, Answer> {
  interface Waiting {
    task: Task
    transfer: readonly TransferListItem[]
    resolve: (answer: Answer) => void
    reject: (error: Error) => void
  }
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let current: Waiting | undefined
  let late: NodeJS.Timeout | undefined
  let isStopped = false

  function end(): Waiting | undefined {
    clearTimeout(late)
    const ended = current
    current = undefined
    return ended
  }

  function start(): Worker {
    const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: megabytes } })
    // The caller that waits for the answer keeps the process alive.
    started.unref()
    let cause: Error | undefined
    started.on('message', (answer: Answer) => {
      end()?.resolve(answer)
      next()
    })
    started.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error))
    })
    started.on('exit', () => {
      if (thread === started) thread = undefined
      const error = isOfTheSystem(cause) ? cause : new ThreadEndedError(cause)
      end()?.reject(isStopped ? new StoppedError() : error)
      next()
    })
    return started
  }

  function next(): void {
    if (current || isStopped) return
    current = waiting.shift()
    if (!current) return
    try {
      thread ??= start()
    } catch (error) {
      // No descriptors or memory for a thread: the task may be tried again.
      end()?.reject(error as Error)
      return next()
    }
    const worker = thread
    if (timeoutMs !== undefined) late = setTimeout(() => void worker.terminate(), timeoutMs).unref()
    worker.postMessage(current.task, current.transfer)
  }

  return {
    run: (task, transfer = []) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new StoppedError())
        waiting.push({ task, transfer, resolve, reject })
        next()
      }),
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(new StoppedError())
      await thread?.terminate()
    },
  }
}
