import { Worker } from 'node:worker_threads'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isSystemError } from '#database/frame/transient.ts'
import { StoppedError } from '../batcher.ts'
import type { AuditFile } from './audit-thread.ts'

export interface AuditReader {
  /**
   * What a file says, as `readAudit` finds it. Rejects with AuditThreadError when the thread died of the file, with the system's error when
   * there is no room for a thread, and with StoppedError when the reader was stopped before.
   */
  read(bytes: Uint8Array, fallback: Currency | null): Promise<AuditContent>
  stop(): Promise<void>
}

/** The thread ended while it read this file: it is to be set aside, since it would end the next one too. */
export class AuditThreadError extends Error {
  constructor(cause?: Error) {
    super('The thread that read the audit ended', { cause })
    this.name = 'AuditThreadError'
  }
}

type Waiting = AuditFile & { resolve: (content: AuditContent) => void; reject: (error: Error) => void }

/** The system had no room for a thread, or for what it loads; that says nothing of the file. */
const isOfTheSystem = (cause: NodeJS.ErrnoException | undefined): cause is NodeJS.ErrnoException =>
  cause?.code === 'ERR_WORKER_INIT_FAILED' || isSystemError(cause)

/** A megabyte of noise needs a small part of it. */
const threadMegabytes = 512

/**
 * Reads audit files in a thread of its own, one after another: a megabyte takes a third of a second, which would
 * block the gateway. The thread starts with the first file, and again after it has died.
 */
export function createAuditReader(script = new URL('./audit-thread.ts', import.meta.url)): AuditReader {
  const waiting: Waiting[] = []
  let thread: Worker | undefined
  let current: Waiting | undefined
  let isStopped = false

  function start(): Worker {
    const own = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: threadMegabytes } })
    // What keeps the process alive is who waits for the answer.
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
      // There are no descriptors or no memory for a thread: the file comes again.
      current.reject(error as Error)
      current = undefined
      return next()
    }
    // A copy: the bytes may be a part of a larger buffer, all of which would be sent.
    const bytes = new Uint8Array(current.bytes)
    thread.postMessage({ bytes, fallback: current.fallback } satisfies AuditFile, [bytes.buffer])
  }

  return {
    read: (bytes, fallback) =>
      new Promise((resolve, reject) => {
        if (isStopped) return reject(new StoppedError())
        waiting.push({ bytes, fallback, resolve, reject })
        next()
      }),
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(new StoppedError())
      await thread?.terminate()
    },
  }
}
