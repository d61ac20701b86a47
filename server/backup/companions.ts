import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { companionAt, isCompanionNeeded } from '#domain/backup/companion.ts'
import type { BackupStore } from './store.ts'

/*
 * Companions are files of other programs that a deployment does not work without, such as the accounts of machines at Mosquitto. Each change of one is a version
 * of its own in the backup.
 */

export interface CompanionOrder {
  store: BackupStore
  systemId: string
  /** Paths; the last part of each is its name. */
  paths: readonly string[]
  now: Date
}

/** Stores the versions of companions that changed since the last call. */
export interface Companions {
  /** Returns how many were stored, and the errors of unreadable files by their path. */
  store(order: CompanionOrder): Promise<{ stored: number; unread: Map<string, Error> }>
}

/** The largest file, in bytes: it is read into memory. A broker's account takes less than a kilobyte. */
const mostBytes = 256 * 1024 * 1024

async function readSmall(path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`)
  return readFile(path)
}

/** What was stored is known from here on: the first call stores all. */
export function trackCompanions(): Companions {
  const stored = new Map<string, string>()
  return {
    async store({ store, systemId, paths, now }) {
      const unread = new Map<string, Error>()
      let count = 0
      for (const path of paths) {
        const content = await readSmall(path).catch((error: Error) => {
          unread.set(path, error)
        })
        if (!content) continue
        const digest = createHash('sha256').update(content).digest('hex')
        if (stored.get(path) === digest) continue
        await store.putCompanion(systemId, { name: basename(path), savedAt: now }, content)
        stored.set(path, digest)
        count++
      }
      return { stored: count, unread }
    },
  }
}

/** Removes versions that no moment since `since` needs; of versions older than a day the last of each hour stays. */
export async function pruneCompanions(
  store: BackupStore,
  systemId: string,
  { since, now }: { since: Date; now: Date },
) {
  const versions = await store.companions(systemId)
  for (const version of versions)
    if (!isCompanionNeeded(version, versions, { since, now })) await store.removeCompanion(systemId, version)
}

export interface RestoredCompanion {
  file: string
  savedAt: Date
}

/** Writes companions as of the moment, or the last ones, into a folder of the data folder. Their places belong to other programs, and the operator brings them there. */
export async function restoreCompanions(
  store: BackupStore,
  systemId: string,
  { until, dataDir }: { until: Date | undefined; dataDir: string },
): Promise<RestoredCompanion[]> {
  const versions = await store.companions(systemId)
  const folder = join(dataDir, 'restored')
  const restored: RestoredCompanion[] = []
  for (const name of new Set(versions.map((version) => version.name))) {
    const version = companionAt(
      versions.filter((one) => one.name === name),
      until,
    )
    if (!version) continue
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, name)
    writeFileSync(file, Buffer.concat(await (await store.companion(systemId, version)).toArray()), { mode: 0o600 })
    restored.push({ file, savedAt: version.savedAt })
  }
  return restored
}
