import { Worker } from 'node:worker_threads'
import type { AuditContent, CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isSystemError } from '#database/frame/transient.ts'
import { StoppedError } from '../batcher.ts'
import type { AuditFile } from './audit-thread.ts'

export interface AuditReader {
  /**
   * The content of a file, as `readAudit` finds it. Rejects with AuditThreadError if the file crashed the thread, with the
   * system's error if no thread can start, and with StoppedError if the reader was stopped first.
   */
  read(bytes: Uint8Array, fallback: Currency | null, lastPage?: CodePage | null): Promise<AuditContent>
  stop(): Promise<void>
}

/** The thread crashed on this file. The file must be set aside, since it would crash the next thread too. */
export class AuditThreadError extends Error {
  constructor(cause?: Error) {
    super('The thread that read the audit ended', { cause })
    this.name = 'AuditThreadError'
  }
}

interface Waiting {
  bytes: Uint8Array
  hints: Omit<AuditFile, 'bytes'>
  resolve: (content: AuditContent) => void
  reject: (error: Error) => void
}

/** The system had no memory or descriptors for a thread. The file is not the cause. */
const isOfTheSystem = (cause: NodeJS.ErrnoException | undefined): cause is NodeJS.ErrnoException =>
  cause?.code === 'ERR_WORKER_INIT_FAILED' || isSystemError(cause)

/** A megabyte of noise needs a small part of this. */
const threadMegabytes = 512

/**
 * Reads audit files in a separate thread, one after another. A megabyte takes a third of a second, which would block the
 * gateway. The thread starts with the first file, and restarts after a crash.
 */
export function createAuditReader(script = new URL('./audit-thread.ts', import.meta.url)): AuditReader {
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let current: Waiting | undefined
  let isStopped = false

  function start(): Worker {
    const own = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: threadMegabytes } })
    // The caller that waits for the answer keeps the process alive.
    own.unref()
    let cause: Error | undefined
    own.on('message', (content: AuditContent) => {
      current?.resolve(content)
      current = undefined
      next()
    })
    own.on('error', (error) => {
      cause = error instanceof Error ? error : new Error(String(error))
    })
    own.on('exit', () => {
      if (thread === own) thread = undefined
      const error = isOfTheSystem(cause) ? cause : new AuditThreadError(cause)
      current?.reject(isStopped ? new StoppedError() : error)
      current = undefined
      next()
    })
    return own
  }

  function next(): void {
    if (current || isStopped) return
    current = waiting.shift()
    if (!current) return
    try {
      thread ??= start()
    } catch (error) {
      // No descriptors or memory for a thread: the machine sends the file again.
      current.reject(error as Error)
      current = undefined
      return next()
    }
    // A copy: the bytes may be a slice of a larger buffer, which would be sent as a whole.
    const bytes = new Uint8Array(current.bytes)
    thread.postMessage({ ...current.hints, bytes } satisfies AuditFile, [bytes.buffer])
  }

  return {
    read: (bytes, fallback, lastPage = null) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new StoppedError())
        waiting.push({ bytes, hints: { fallback, lastPage }, resolve, reject })
        next()
      }),
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(new StoppedError())
      await thread?.terminate()
    },
  }
}
