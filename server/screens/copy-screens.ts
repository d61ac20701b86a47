import {
  attemptsOf,
  type DueCopy,
  dueCopies,
  merchantsWithStorage,
  noteCopy,
  storageWithCopy,
} from '#database/configurations/screen-copy.ts'
import { screenBlob } from '#database/configurations/screen-file.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Blobs } from '../files/blobs.ts'
import type { Vault } from '../secrets/vault.ts'
import { openRemoteStorage, type RemoteStorage, StorageError } from './remote-storage.ts'

interface Services {
  doors: Doors
  blobs: Blobs
  vault: Pick<Vault, 'open'>
  config: { production: boolean }
}

/** Files of a merchant copied in one run of the minute. */
const mostAtOnce = 50
/** A failed copy is repeated after one, two, four … minutes, at most an hour. */
const retryMs = { least: 60_000, most: 3_600_000 }

/** The name of a file in a merchant's storage. */
export const copyNameOf = ({ id, type }: { id: string; type: string | null }): string => (type ? `${id}.${type}` : id)

const remoteOf = ({ vault, config }: Pick<Services, 'vault' | 'config'>, storage: DueCopy['storage']) =>
  openRemoteStorage({ ...storage, password: vault.open(storage.passwordSealed) }, { isPublicOnly: config.production })

/** Copies what machines were sent to their merchants' storages. A storage that is away is tried again; the others are not held up. */
export async function copyScreens(services: Services, now: Date): Promise<void> {
  for (const merchantId of await merchantsWithStorage(services.doors))
    await copyAll(services, await dueCopies(services.doors, merchantId, now, mostAtOnce), now)
}

async function copyAll(services: Services, copies: readonly DueCopy[], now: Date): Promise<void> {
  const { doors, blobs } = services
  let remote: ReturnType<typeof remoteOf> | undefined
  try {
    for (const copy of copies) {
      const { merchantId, fileId, storage } = copy
      const key = { merchantId, fileId, version: storage.version }
      try {
        remote ??= remoteOf(services, storage)
        await copyOne(blobs, remote, copy)
        await noteCopy(doors, key, { copiedAt: new Date() })
      } catch (error) {
        if (!(error instanceof StorageError)) throw error
        const attempts = await attemptsOf(doors, merchantId, fileId)
        const pause = Math.min(retryMs.most, retryMs.least * 2 ** attempts)
        await noteCopy(doors, key, { fault: error.fault, failedAt: now, nextAt: new Date(now.getTime() + pause) })
        // The other files of a storage that is away would each wait for its silence.
        if (error.fault !== 'RepositoryRefusesFiles') return
      }
    }
  } finally {
    remote?.close()
  }
}

async function copyOne(blobs: Blobs, remote: RemoteStorage, { merchantId, fileId, type, bytes }: DueCopy) {
  const blob = await blobs.get(screenBlob(merchantId, fileId))
  // A file that was deleted meanwhile is part of no document.
  if (!blob) return
  const name = copyNameOf({ id: fileId, type })
  await remote.put(name, blob.content, bytes)
  // Some servers answer before a quota stops them.
  if ((await remote.size(name)) !== bytes) throw new StorageError('RepositoryRefusesFiles')
}

/**
 * The store from which a machine gets a file: its merchant's storage when it has a complete copy, else the product's own. A storage that does
 * not answer is noted, and its copy made again.
 */
export async function storeOf(
  services: Services,
  merchantId: string,
  file: { id: string; type: string | null; bytes: number },
): Promise<Pick<Blobs, 'size' | 'part'>> {
  const storage = await storageWithCopy(services.doors, merchantId, file.id)
  if (!storage) return services.blobs
  const lost = (fault: StorageError['fault']) => {
    const now = new Date()
    return noteCopy(
      services.doors,
      { merchantId, fileId: file.id, version: storage.version },
      { fault, failedAt: now, nextAt: now },
    )
  }
  try {
    const remote = remoteOf(services, storage)
    const name = copyNameOf(file)
    if ((await remote.size(name)) === file.bytes)
      return {
        size: async () => file.bytes,
        part: (_, start, end) => remote.part(name, start, end).once('close', remote.close),
      }
    remote.close()
    await lost('RepositoryRefusesFiles')
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    await lost(error.fault)
  }
  return services.blobs
}
