import type { Doors } from '#database/frame/tenant.ts'
import { storedFileIds } from '#database/updates/firmware.ts'
import type { Blobs } from '../files/blobs.ts'
import { blobOfUpdate } from '../http/upload.ts'

/** An upload takes less; what is older without a record belongs to a process that died. */
const abandonedMillis = 2 * 3_600_000
/** Commands with a document of the visual programmer wait for a day; sending a document again writes its file again. */
const keptMillis = 2 * 86_400_000

/** Removes files for machines that no firmware, no database and no waiting command has, and unfinished uploads. */
export async function sweepUpdateFiles(
  { doors, blobs }: { doors: Doors; blobs: Pick<Blobs, 'older' | 'remove'> },
  now: Date,
): Promise<void> {
  for (const key of await blobs.older('vp', new Date(now.getTime() - keptMillis))) await blobs.remove(key)
  const old = await blobs.older('updates', new Date(now.getTime() - abandonedMillis))
  if (old.length === 0) return
  const referenced = new Set((await storedFileIds(doors)).map(blobOfUpdate))
  for (const key of old) if (!referenced.has(key)) await blobs.remove(key)
}
