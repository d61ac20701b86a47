import type { TaskList } from 'graphile-worker'
import { z } from 'zod'
import { runRetrieval } from '../retrieval/run.ts'
import type { RetrievalServices } from '../retrieval/services.ts'

const Payload = z.object({ merchantId: z.uuid(), id: z.uuid() })

/** Data retrieval requests. Each may take an hour, so they have a separate lane. */
export const retrievalTasks = (services: RetrievalServices): TaskList => ({
  writeHistoricalData: async (payload, { job, abortSignal }) => {
    const isLastTry = job.attempts >= job.max_attempts
    await runRetrieval(services, Payload.parse(payload), { isLastTry, signal: abortSignal })
  },
})
