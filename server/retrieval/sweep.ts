import { endLostRequests, expireRequests, queueWaitingRequests } from '#database/insight/data-retrieval-request.ts'
import type { RetrievalServices } from './services.ts'

/** Files without a write for this long belong to a dead process. */
const abandonedMillis = 2 * 3_600_000
/** Requests without a file for this long are lost: no run will write them. */
const lostMillis = 48 * 3_600_000

/** Ends the time of requests and removes their files, and abandoned files. Ends lost requests, and queues requests without a job. */
export async function sweepRetrievals(
  { doors, blobs, live, config }: Pick<RetrievalServices, 'doors' | 'blobs' | 'live' | 'config'>,
  now: Date,
): Promise<void> {
  for (const { merchantId, blob } of await expireRequests(doors, now)) {
    await blobs.remove(blob)
    live.announce(merchantId, 'dataRetrievalRequest')
  }
  for (const { merchantId } of await endLostRequests(doors, new Date(now.getTime() - lostMillis), now))
    live.announce(merchantId, 'dataRetrievalRequest')
  const longest = config.DATA_RETRIEVAL_HOURS * 3_600_000 + abandonedMillis
  for (const key of await blobs.older('retrievals', new Date(now.getTime() - longest))) await blobs.remove(key)
  await queueWaitingRequests(doors)
}
