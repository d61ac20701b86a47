import { type ExportJob, exports } from '#contract/frame/export.ts'
import { call } from '#portal/app/api.ts'
import { isLost } from '#portal/app/apiError.ts'

const everyMillis = 2000
const isOver = ({ status }: ExportJob) => status !== 'waiting' && status !== 'running'

/** Tells when an export is ready, wherever its owner is by then; a cancelled one is no news. */
export async function watchExport(job: ExportJob): Promise<void> {
  const input = { params: { merchantId: job.merchantId, exportId: job.id } }
  let now = job
  while (!isOver(now)) {
    await new Promise((resolve) => setTimeout(resolve, everyMillis))
    try {
      now = await call(exports.getExport, input)
    } catch (error) {
      // A lost connection comes back. Somebody who has signed out, or an export that is gone, is not asked for any more.
      if (!isLost(error)) return
    }
  }
  if (now.status === 'cancelled') return
  const { toast } = await import('#portal/ui/dialog/toast.tsx')
  if (now.status === 'done') toast.success('export:ready', undefined, { isPersistent: true })
  else toast.error(`errors:${now.failure ?? 'Internal'}`)
}
