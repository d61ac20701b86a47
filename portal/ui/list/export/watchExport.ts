import { type ExportJob, exports } from '#contract/export/export.ts'
import { call } from '#portal/app/api.ts'
import { isLost } from '#portal/app/apiError.ts'

const everyMillis = 2000
const isOver = ({ status }: ExportJob) => status !== 'waiting' && status !== 'running'

/** Reports when an export is ready, wherever the user is in the portal; a cancelled export is not reported. */
export async function watchExport(job: ExportJob): Promise<void> {
  const input = { params: { merchantId: job.merchantId, exportId: job.id } }
  let now = job
  while (!isOver(now)) {
    await new Promise((resolve) => setTimeout(resolve, everyMillis))
    try {
      now = await call(exports.getExport, input)
    } catch (error) {
      // A lost connection is retried. After sign-out or deletion of the export, polling stops.
      if (!isLost(error)) return
    }
  }
  if (now.status === 'cancelled') return
  const { toast } = await import('#portal/app/toast/toast.tsx')
  if (now.status === 'done') toast.success('export:ready', undefined, { isPersistent: true })
  else toast.error(`errors:${now.failure ?? 'Internal'}`)
}
