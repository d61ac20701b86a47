import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { createBackoff, keepTrying } from '../retry/backoff.ts'
import { archiveLog } from './archive-log.ts'
import { pruneCompanions, trackCompanions } from './companions.ts'
import { type BackupOrder, keyFingerprint, makeBackup } from './make-backup.ts'
import { pruneBackups } from './prune.ts'
import { openReplication } from './replication.ts'
import { BackupError } from './store.ts'

const lastCopy = new Gauge({
  name: 'gettone_backup_copy_timestamp_seconds',
  help: 'When the last copy of the server was complete',
})
const lastPiece = new Gauge({
  name: 'gettone_backup_log_timestamp_seconds',
  help: 'When the log of the server was last stored',
})

export interface BackupSchedule {
  /** Hours between two copies of the server. */
  everyHours: number
  /** For so many days the server can be restored to any moment. */
  days: number
  /** Paths of files of other programs that belong into the backup. */
  companions: readonly string[]
}

type Running = BackupOrder & BackupSchedule & { log: Logger; logEveryMillis?: number }

const checkMillis = 30_000
const lockWaitMillis = 5_000

/**
 * Stores the log all the time, and a copy of the server when the last one is too old or the stored log does not continue what is there. One process of a deployment
 * does it; another one takes over when it ends.
 */
export function startBackups(order: Running): { stop(): Promise<void> } {
  const { log } = order
  const stopped = new AbortController()
  const { signal } = stopped
  const running = keepTrying(() => whileAlone(order, signal), {
    signal,
    backoff: createBackoff({ leastMs: 1_000, mostMs: 30_000 }),
    isWorthAnother: (error) => !(error instanceof BackupError),
    onFailure: (err) => log.warn({ err }, 'Backups wait for the database'),
  }).catch((error: unknown) => {
    if (!signal.aborted) log.error({ err: error }, 'Backups have ended')
  })
  return {
    async stop() {
      stopped.abort()
      await running
    },
  }
}

/** Makes backups as long as a connection holds the lock that only one process has. */
async function whileAlone(order: Running, outer: AbortSignal): Promise<void> {
  const client = new pg.Client({
    connectionString: order.adminUrl,
    application_name: 'gettone_backup',
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('The connection ended')))
  const signal = AbortSignal.any([outer, lost.signal])
  await client.connect()
  try {
    for (;;) {
      signal.throwIfAborted()
      const { rows } = await client.query(`select pg_try_advisory_lock(hashtext('gettone.backups')) as is`)
      if (rows[0]?.is) break
      await pause(lockWaitMillis, undefined, { signal })
    }
    await backUp(order, signal)
  } finally {
    await client.end().catch(() => {})
  }
  // Another attempt, unless we were stopped.
  signal.throwIfAborted()
}

async function backUp(order: Running, signal: AbortSignal): Promise<void> {
  const { adminUrl, store, log, logEveryMillis, everyHours, days } = order
  let copiedAt = await lastCopyAt(order)
  const ended = new AbortController()
  const inner = AbortSignal.any([signal, ended.signal])
  const archiving = archiveLog({
    adminUrl,
    store,
    log,
    signal: inner,
    ...(logEveryMillis !== undefined && { everyMillis: logEveryMillis }),
    onBegun: () => {
      copiedAt = 0
    },
    onStored: ({ savedAt }) => lastPiece.set(savedAt.getTime() / 1000),
  })
  const storeCompanions = watchCompanions(order)
  const copying = (async () => {
    while (!inner.aborted) {
      await storeCompanions()
      if (Date.now() - copiedAt >= everyHours * 3_600_000) {
        try {
          const { base } = await makeBackup(order)
          copiedAt = Date.parse(base.endedAt)
          lastCopy.set(copiedAt / 1000)
          log.info({ copy: base.stamp, bytes: base.bytes }, 'The server was copied to the backup')
          const since = new Date(Date.now() - days * 86_400_000)
          await pruneBackups(store, base.systemId, since)
          await pruneCompanions(store, base.systemId, { since, now: new Date() })
        } catch (err) {
          log.error({ err }, 'The server could not be copied to the backup')
        }
      }
      await pause(Math.min(checkMillis, logEveryMillis ?? checkMillis), undefined, { signal: inner }).catch(() => {})
    }
  })()
  try {
    await archiving
  } finally {
    ended.abort()
    await copying
  }
}

/** Stores companions that changed, at each call. What cannot be read or stored is logged once until it can. */
function watchCompanions({ adminUrl, store, log, companions: paths }: Running): () => Promise<void> {
  const companions = trackCompanions()
  let failing = new Set<string>()
  let systemId: string | undefined
  return async () => {
    if (paths.length === 0) return
    const failed = new Map<string, unknown>()
    try {
      systemId ??= await systemIdOf(adminUrl)
      const { unread } = await companions.store({ store, systemId, paths, now: new Date() })
      for (const [path, error] of unread) failed.set(path, error)
    } catch (error) {
      failed.set('', error)
    }
    for (const [path, err] of failed)
      if (!failing.has(path)) log.error({ err, path }, 'A file of BACKUP_FILES is not in the backup')
    failing = new Set(failed.keys())
  }
}

async function systemIdOf(adminUrl: string): Promise<string> {
  const replication = await openReplication(adminUrl)
  await replication.close()
  return replication.facts.systemId
}

/** When the newest copy of the server's timeline with the present SECRET_KEY was complete, in milliseconds; 0 without one. */
async function lastCopyAt({ adminUrl, store, secretKey }: Running): Promise<number> {
  const replication = await openReplication(adminUrl)
  const { systemId, timeline } = replication.facts
  await replication.close()
  const newest = (await store.bases(systemId)).findLast((base) => base.timeline === timeline)
  // A restore to a moment after SECRET_KEY was replaced needs a copy with the new key.
  if (!newest || newest.keyFingerprint !== keyFingerprint(secretKey)) return 0
  lastCopy.set(Date.parse(newest.endedAt) / 1000)
  return Date.parse(newest.endedAt)
}
