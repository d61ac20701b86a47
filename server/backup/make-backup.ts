import { createHmac } from 'node:crypto'
import { placeText } from '#domain/backup/wal.ts'
import type { Blobs } from '../files/blobs.ts'
import { copyServer, openReplication } from './replication.ts'
import type { BackupStore, Base } from './store.ts'

export interface BackupOrder {
  adminUrl: string
  store: BackupStore
  files: Blobs
  secretKey: string
  /** Of the program. */
  version: string
  isEncrypted: boolean
  now?: () => Date
}

/** Tells whether a key is the one of a backup. */
export const keyFingerprint = (secretKey: string): string =>
  createHmac('sha256', secretKey).update('backup fingerprint').digest('base64url').slice(0, 16)

const stampOf = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Files that are removed after hours. */
const isShortLived = (key: string) => /^(probes|exports|retrievals)\//.test(key)

export interface Made {
  base: Base
  /** Files that were not in the backup yet. */
  files: number
}

/**
 * Copies the server, while it works, and the files that the backup lacks. Only an encrypted backup contains the SECRET_KEY. The copy exists once
 * `backup.json` is written, as the last part.
 */
export async function makeBackup(order: BackupOrder): Promise<Made> {
  const { adminUrl, store, secretKey, version, isEncrypted, now = () => new Date() } = order
  const replication = await openReplication(adminUrl)
  try {
    const { systemId, segmentBytes, version: postgres } = replication.facts
    const begunAt = now()
    const stamp = stampOf(begunAt)
    // A file that is written from here on belongs to rows of the next copy.
    const files = await copyFiles(order, systemId)
    let bytes = 0
    async function* counted(tar: AsyncIterable<Buffer>) {
      for await (const piece of tar) {
        bytes += piece.length
        yield piece
      }
    }
    const { start, end, timeline } = await copyServer(replication, `gettone ${stamp}`, (tar) =>
      store.putPart(systemId, stamp, 'server.tar', counted(tar)),
    )
    // Files whose rows the copy has.
    const later = await copyFiles(order, systemId)
    if (isEncrypted) await store.putPart(systemId, stamp, 'secret-key', [Buffer.from(secretKey)])
    const base: Base = {
      stamp,
      systemId,
      timeline,
      start: placeText(start),
      end: placeText(end),
      segmentBytes,
      begunAt: begunAt.toISOString(),
      endedAt: now().toISOString(),
      postgres,
      gettone: version,
      bytes,
      isEncrypted,
      keyFingerprint: keyFingerprint(secretKey),
    }
    await store.complete(base)
    return { base, files: files + later }
  } finally {
    await replication.close().catch(() => {})
  }
}

/** Copies files that the backup lacks; a file never changes under its key. */
async function copyFiles({ store, files }: BackupOrder, systemId: string): Promise<number> {
  const present = await store.files(systemId)
  let copied = 0
  for await (const { key } of files.all()) {
    if (isShortLived(key) || present.has(key)) continue
    const file = await files.get(key)
    if (!file) continue
    await store.putFile(systemId, key, file.content)
    copied++
  }
  return copied
}
