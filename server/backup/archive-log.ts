import type { Logger } from 'pino'
import { type Piece, segmentStart } from '#domain/backup/wal.ts'
import { createBackoff, keepTrying } from '../retry/backoff.ts'
import { ensureSlot, followLog, openReplication } from './replication.ts'
import { BackupError, type BackupStore } from './store.ts'

export interface ArchiveOrder {
  adminUrl: string
  store: BackupStore
  log: Logger
  signal: AbortSignal
  /** A change is stored at the latest after so many milliseconds. */
  everyMillis?: number
  /** Called when the stored log does not continue what is there: earlier moments need an older copy. */
  onBegun?: (() => void) | undefined
  onStored?: ((piece: Piece) => void) | undefined
}

const waitMillis = { leastMs: 500, mostMs: 15_000 }

/**
 * Stores the server's log in pieces until `signal`, and continues after each failure. The server keeps its log until it is stored. Rejects with a
 * BackupError when the address has the log of another run of the same server, which must not be mixed.
 */
export async function archiveLog(order: ArchiveOrder): Promise<void> {
  const { signal, log } = order
  const backoff = createBackoff(waitMillis)
  try {
    await keepTrying(() => archiveOnce(order, backoff.worked), {
      signal,
      backoff,
      isWorthAnother: (error) => !(error instanceof BackupError),
      onFailure: (err) => log.warn({ err }, 'The log could not be stored in the backup; it is kept and stored later'),
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function archiveOnce(
  { adminUrl, store, signal, everyMillis = 30_000, onBegun, onStored }: ArchiveOrder,
  onWorked: () => void,
): Promise<void> {
  const replication = await openReplication(adminUrl)
  const end = () => void replication.close().catch(() => {})
  signal.addEventListener('abort', end, { once: true })
  try {
    const { systemId, timeline, segmentBytes, end: written } = replication.facts
    const kept = segmentStart(await ensureSlot(replication), segmentBytes)
    const pieces = (await store.pieces(systemId)).filter((piece) => piece.timeline === timeline)
    const known = pieces.reduce((most, piece) => (piece.end > most ? piece.end : most), 0n)
    if (known > written)
      throw new BackupError(
        'The backup has a later log of this server than the server itself: it was set back, or a copy of it stores its log there too. Choose another BACKUP_URL.',
      )
    const isNew = known < kept
    let position = isNew ? kept : known
    if (isNew) onBegun?.()
    const stream = followLog(replication, position, timeline)
    if (!isNew) stream.stored(position)
    let parts: Buffer[] = []
    let bytes = 0
    let dueAt = 0
    const storePiece = async () => {
      const piece: Piece = { timeline, start: position, end: position + BigInt(bytes), savedAt: new Date() }
      await store.putPiece(systemId, piece, Buffer.concat(parts))
      position = piece.end
      parts = []
      bytes = 0
      stream.stored(position)
      onWorked()
      onStored?.(piece)
    }
    while (!signal.aborted) {
      const wait = bytes > 0 ? Math.max(0, dueAt - Date.now()) : everyMillis
      const received = await stream.next(Math.min(wait, 10_000))
      if (received) {
        if (received.start !== position + BigInt(bytes)) throw new Error('The log has a hole')
        if (bytes === 0) dueAt = Date.now() + everyMillis
        parts.push(received.bytes)
        bytes += received.bytes.length
      }
      if (bytes >= segmentBytes || (bytes > 0 && Date.now() >= dueAt)) await storePiece()
    }
  } finally {
    signal.removeEventListener('abort', end)
    await replication.close().catch(() => {})
  }
}
