import { queueWaitingExports, removeExpiredExports } from '#database/export/job.ts'
import type { ExportServices } from './run.ts'

/** Files without a write for this long belong to a dead process. */
const abandonedMillis = 2 * 3_600_000

/** Removes expired exports with their files, and abandoned files. Queues waiting exports that have no job. */
export async function sweepExports(
  { doors, blobs, hours }: Pick<ExportServices, 'doors' | 'blobs' | 'hours'>,
  now: Date,
): Promise<void> {
  for (const blob of await removeExpiredExports(doors, now)) await blobs.remove(blob)
  for (const key of await blobs.older('shown', new Date(now.getTime() - abandonedMillis))) await blobs.remove(key)
  const longest = hours * 3_600_000 + abandonedMillis
  for (const key of await blobs.older('exports', new Date(now.getTime() - longest))) await blobs.remove(key)
  await queueWaitingExports(doors)
}
