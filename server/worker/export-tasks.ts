import type { TaskList } from 'graphile-worker'
import { z } from 'zod'
import { type ExportServices, runExport } from '../export/run.ts'

const Payload = z.object({ id: z.uuid() })

/** Background exports. They may take minutes, so they have a separate lane. */
export const exportTasks = (services: ExportServices): TaskList => ({
  writeExport: async (payload, { job, abortSignal }) => {
    const isLastTry = job.attempts >= job.max_attempts
    await runExport(services, Payload.parse(payload).id, { isLastTry, signal: abortSignal })
  },
})
