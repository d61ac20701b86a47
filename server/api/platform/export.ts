import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Permission } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { ExportJob, type ExportOrder, type exports, mostRunningExports } from '#contract/export/export.ts'
import { exportLists } from '#contract/export/export-lists.ts'
import { exportTypes } from '#contract/vocabulary/export.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import {
  cancelExport,
  createExport,
  type ExportRecord,
  findExport,
  findOwnExport,
  listExports,
} from '#database/export/job.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { whereRowsAre } from '#server/export/door.ts'
import { fileOf } from '#server/export/file.ts'
import { exportLinks } from '#server/export/link.ts'
import { ownerOf, refuseNarrowed } from '#server/export/owner.ts'
import { refuseUnsound } from '#server/export/refuse.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import type { Handlers, TenantCall, UserCall } from '#server/http/handler.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { narrowScope } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { sources } from '../export-sources.ts'

/** The order of a job is stored in its wire format. */
const orderOf = (job: ExportRecord) => job.ordered as Pick<ExportOrder, 'list' | 'format'>

/** Whether a file has expired, even if it is not deleted yet. */
const isOver = ({ expires_at }: ExportRecord, now: Date) => expires_at !== null && expires_at <= now

const presentExport = (job: ExportRecord, { config, now }: Pick<UserCall, 'config' | 'now'>): ExportJob =>
  wireOf(ExportJob, job, {
    list: orderOf(job).list,
    format: orderOf(job).format,
    link:
      job.status === 'done' && job.expires_at && !isOver(job, now)
        ? `${apiPrefix}/exports/${exportLinks(config.secretKey).tokenOf(job.id, job.expires_at)}`
        : null,
  })

/** The data within the list's own permission and feature. Refuses an invalid order. */
async function readable({ db, doors, user }: TenantCall, order: ExportOrder): Promise<TenantDb> {
  const { needs, feature } = exportLists[order.list].row
  if (!userMay(user, needs as Permission)) throw new ProductError('Forbidden')
  const visibleDb = feature ? withinScope(db, await narrowScope(doors, db.scope, { feature, groupIds: undefined })) : db
  await refuseUnsound(visibleDb, order)
  return visibleDb
}

/** The contract's form of an order, in which flags are words. */
const toStored = (order: ExportOrder) => ({
  ...order,
  filter: Object.fromEntries(
    Object.entries(order.filter).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  ),
})

async function ownExport({ doors, user, params }: TenantCall & { params: { merchantId: string; exportId: string } }) {
  const job = await findOwnExport(doors, user.id, params.exportId)
  const isOfPath = params.merchantId === allMerchants || job?.merchant_id === params.merchantId
  if (!job || !isOfPath) throw new ProductError('ExportNotFound')
  return job
}

export const exportHandlers: Handlers<typeof exports> = {
  exportShown: async (call) => {
    const { body: order, params, config, doors, user, blobs, now, reply } = call
    const db = await readable(call, order)
    // Written to a file first: a slow reader then holds a file open, not a database connection.
    const key = `shown/${randomUUID()}`
    const [file, size] = await whereRowsAre(doors, db, order.list, async (rows) => {
      const made = await fileOf(rows, order, {
        sources,
        isAll: params.merchantId === allMerchants,
        reader: user.role,
        doors,
        now,
      })
      return [made, await blobs.put(key, made.write({ limit: config.EXPORT_MAX_RESULTS }))]
    })
    const written = await blobs.get(key)
    if (!written) throw new Error('The export file just written is missing.')
    written.content.once('close', () => void blobs.remove(key))
    return sendAttachment(reply, { name: file.name, type: file.type, content: written.content, size })
  },

  createExport: async (call) => {
    const { body: order, params, doors, user, now } = call
    const { scope } = await readable(call, order)
    const job = await createExport(
      doors,
      {
        id: randomUUIDv7(),
        userId: user.id,
        merchantId: params.merchantId,
        role: user.role,
        scope,
        ordered: toStored(order),
        at: now,
      },
      mostRunningExports,
    )
    if (!job) throw new ProductError('TooManyExports', { most: mostRunningExports })
    return presentExport(job, call)
  },

  listExports: async (call) => {
    const { doors, user, params } = call
    const merchantId = params.merchantId === allMerchants ? undefined : params.merchantId
    return (await listExports(doors, user.id, merchantId)).map((job) => presentExport(job, call))
  },

  getExport: async (call) => presentExport(await ownExport(call), call),

  cancelExport: async (call) => {
    const { doors, user, config, now } = call
    const { id } = await ownExport(call)
    await cancelExport(doors, user.id, id, now, new Date(now.getTime() + config.EXPORT_HOURS * 3_600_000))
    return presentExport(await ownExport(call), call)
  },

  downloadExport: async ({ params, config, doors, blobs, now, reply }) => {
    const job = await findExport(doors, exportLinks(config.secretKey).read(params.token, now))
    if (job && isOver(job, now)) throw new ProductError('ExportExpired')
    const file = job?.status === 'done' && job.blob ? await blobs.get(job.blob) : undefined
    if (!job || !file) throw new ProductError('ExportNotFound')
    try {
      const owner = await ownerOf(doors, job)
      if (!userMay(owner, exportLists[orderOf(job).list].row.needs as Permission))
        throw new ProductError('ExportNotFound')
      refuseNarrowed(owner, job)
    } catch (error) {
      file.content.destroy()
      throw error
    }
    const type = exportTypes[orderOf(job).format]
    return sendAttachment(reply, { name: job.file_name ?? 'export', type, ...file })
  },
}
