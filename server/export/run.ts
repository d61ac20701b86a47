import type { Logger } from 'pino'
import type { Permission } from '#contract/access.ts'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { ExportOrder } from '#contract/export/export.ts'
import { exportLists } from '#contract/export/export-lists.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { beginExport, type Ending, type ExportRecord, endExport, noteProgress, type Run } from '#database/export/job.ts'
import { isDistributed } from '#database/frame/distributed.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { userMay } from '#domain/people/user-edit.ts'
import type { Blobs } from '../files/blobs.ts'
import { narrowScope } from '../http/scope.ts'
import { whereRowsAre } from './door.ts'
import { type ExportSources, fileOf } from './file.ts'
import { commonScope, ownerOf } from './owner.ts'
import { refuseUnsound } from './refuse.ts'

export interface ExportServices {
  sources: ExportSources
  doors: Doors
  blobs: Blobs
  log: Logger
  /** How long a file is stored. */
  hours: number
}

/** Ends a run that was cancelled or replaced by a newer run. */
class RunEnded extends Error {
  readonly because: 'cancelled' | 'superseded'
  constructor(because: 'cancelled' | 'superseded') {
    super(because)
    this.name = 'RunEnded'
    this.because = because
  }
}

const noteEveryMillis = 1000

/**
 * Writes the file of a waiting export from the start. Stores lost access as the export's error. Throws on other errors, so
 * that the job is retried, unless `isLastTry`.
 */
export async function runExport(
  services: ExportServices,
  id: string,
  { isLastTry, signal }: { isLastTry: boolean; signal?: AbortSignal | undefined },
): Promise<void> {
  const { doors, blobs, log, hours } = services
  const job = await beginExport(doors, id, new Date())
  if (!job) return
  const blob = `exports/${job.id}-${job.attempt}`
  const ended = async (ending: Ending) => {
    const at = new Date()
    return endExport(doors, job, ending, at, new Date(at.getTime() + hours * 3_600_000))
  }
  try {
    const written = await writeFile(services, job, blob, signal)
    // Cancelled at the very end, or restarted by a worker that considered this run dead.
    if (!(await ended({ status: 'done', blob, ...written }))) await blobs.remove(blob)
  } catch (error) {
    // Where files are may be away too; the sweep removes what is left.
    await blobs.remove(blob).catch((err: unknown) => log.warn({ err, blob }, 'An unfinished file could not be removed'))
    if (error instanceof RunEnded) {
      if (error.because === 'cancelled') await ended({ status: 'cancelled' })
      return
    }
    const failure: ErrorCode | undefined =
      error instanceof ProductError ? error.code : isLastTry ? 'Internal' : undefined
    if (!failure) throw error
    if (failure === 'Internal') log.error({ err: error, export: id }, 'Export failed')
    await ended({ status: 'failed', failure })
  }
}

async function writeFile(
  { sources, doors, blobs }: ExportServices,
  job: ExportRecord,
  blob: string,
  signal?: AbortSignal,
) {
  const read = ExportOrder.safeParse(job.ordered)
  // The export was ordered in a version with other lists.
  if (!read.success) throw new ProductError('ValidationFailed')
  const order = read.data
  const owner = await ownerOf(doors, job)
  const { needs, feature } = exportLists[order.list].row
  if (!userMay(owner, 'export.create') || !userMay(owner, needs as Permission)) throw new ProductError('Forbidden')
  const common = commonScope(job.scope, owner.scope)
  if (common.length === 0) throw new ProductError('MerchantNotFoundException')
  const scope = await narrowScope(doors, common, { feature, groupIds: undefined })
  await note(doors, job, { scope })
  const context = { sources, isAll: job.merchant_id === allMerchants, reader: owner.role, doors, now: job.created_at }
  // Progress is reported while the file is written.
  const counted = () =>
    doors
      .withTenant(
        scope,
        (db) => whereRowsAre(doors, db, order.list, async (rows) => (await fileOf(rows, order, context)).count()),
        'read',
      )
      .then(async (total) => {
        await noteProgress(doors, job, { total })
        return total
      })
  return doors.withTenant(
    scope,
    async (db) => {
      await refuseUnsound(db, order)
      let written = 0
      let noted = Date.now()
      const watch = async (rows: number) => {
        written = rows
        signal?.throwIfAborted()
        if (Date.now() - noted < noteEveryMillis) return
        noted = Date.now()
        await note(doors, job, { written })
      }
      return whereRowsAre(doors, db, order.list, async (rows) => {
        const file = await fileOf(rows, order, context)
        const [size, total] = await Promise.all([blobs.put(blob, file.write({ watch })), counted()])
        await note(doors, job, { written })
        return { size, written, total: Math.max(total, written), fileName: file.name }
      })
    },
    // Rows of several merchants on several nodes are sorted in a temporary table.
    isDistributed() ? 'write' : 'read',
  )
}

async function note(doors: Doors, run: Run, progress: Parameters<typeof noteProgress>[2]): Promise<void> {
  const next = await noteProgress(doors, run, progress)
  if (next !== 'go on') throw new RunEnded(next)
}
