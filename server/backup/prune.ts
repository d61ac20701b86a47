import { placeOf, segmentStart } from '#domain/backup/wal.ts'
import type { BackupStore } from './store.ts'

/**
 * Removes copies and pieces that no moment since `since` needs. The newest copy before it stays, as do all files of the deployment. Returns how many
 * copies and pieces were removed.
 */
export async function pruneBackups(store: BackupStore, systemId: string, since: Date) {
  const bases = await store.bases(systemId)
  const first = bases.findLastIndex(({ endedAt }) => new Date(endedAt) <= since)
  const kept = bases.slice(Math.max(0, first))
  const [oldest] = kept
  if (!oldest) return { copies: 0, pieces: 0 }
  const from = segmentStart(placeOf(oldest.start), oldest.segmentBytes)
  const ended = (await store.pieces(systemId)).filter(({ timeline, end, savedAt }) =>
    timeline === oldest.timeline ? end <= from : savedAt < new Date(oldest.begunAt),
  )
  const old = bases.slice(0, Math.max(0, first))
  for (const base of old) await store.removeBase(base)
  for (const piece of ended) await store.removePiece(systemId, piece)
  return { copies: old.length, pieces: ended.length }
}
