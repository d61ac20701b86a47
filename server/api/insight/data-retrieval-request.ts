import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { DataRetrievalRequest, type dataRetrievalRequests } from '#contract/insight/data-retrieval-request.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { featureOfType } from '#database/export/retrieval-file.ts'
import {
  createRequest,
  findRequest,
  listRequests,
  type RequestRow,
  removeRequest,
} from '#database/insight/data-retrieval-request.ts'
import { findMerchant } from '#database/merchants/merchant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import { covers, readerOf } from '#server/export/owner.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import { enabledIn } from '#server/http/features.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { retrievalLinks } from '#server/retrieval/link.ts'
import { wordsIn } from '#server/words/words.ts'

type Reader = Pick<TenantCall, 'config' | 'now' | 'user'>

/** Whether a file has expired, even if it is not deleted yet. */
const isOver = ({ expires_at }: { expires_at: Date | null }, now: Date) => expires_at !== null && expires_at <= now

function linkOf(row: RequestRow, { config, now, user }: Reader): string | null {
  if (row.status !== 'completed' || !row.expires_at || isOver(row, now)) return null
  const linked = { merchantId: row.merchant_id, id: row.id, userId: user.id }
  return `${apiPrefix}/historicaldata/${retrievalLinks(config.secretKey).tokenOf(linked, row.expires_at)}`
}

const present = (row: RequestRow, reader: Reader): DataRetrievalRequest =>
  wireOf(DataRetrievalRequest, row, {
    status: row.status === 'completed' && isOver(row, reader.now) ? 'expired' : row.status,
    link: linkOf(row, reader),
    createdBy: row.created_by_shown,
  })

async function requestOf(call: Pick<TenantCall, 'db'> & Reader, id: string): Promise<DataRetrievalRequest> {
  const { rows } = await listRequests(call.db, { page: 1, size: 1 }, seesInvisible(call.user), id)
  if (!rows[0]) throw new ProductError('DataRetrievalRequestNotFound')
  return present(rows[0], call)
}

const logged = ({
  dataType,
  startDate,
  endDate,
}: Pick<DataRetrievalRequest, 'dataType' | 'startDate' | 'endDate'>) => ({
  dataType,
  startDate,
  endDate,
})

/** Historical data of a merchant as files. */
export const dataRetrievalRequestHandlers: Handlers<typeof dataRetrievalRequests> = {
  listDataRetrievalRequests: async (call) => {
    refuseReversed(call.query)
    const { rows, ...page } = await listRequests(call.db, call.query, seesInvisible(call.user))
    return { items: rows.map((row) => present(row, call)), ...page }
  },

  getDataRetrievalRequest: (call) => requestOf(call, call.params.dataRetrievalRequestId),

  createDataRetrievalRequest: async (call) => {
    const { db, params, body, user, now, config, live } = call
    const { merchantId } = params
    if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    refuseReversed(body)
    const merchant = await findMerchant(db, merchantId)
    if (!merchant) throw new ProductError('MerchantNotFoundException')
    const today = wallAt(now, merchant.time_zone).day
    if (body.startDate > today) throw new ProductError('PeriodInFuture')
    const feature = featureOfType(body.dataType)
    if (feature && !(await enabledIn(db, [feature])).get(feature)?.has(merchantId))
      throw new ProductError('FeatureNotEnabled')
    const id = randomUUIDv7()
    const endDate = body.endDate > today ? today : body.endDate
    const isStored = await createRequest(
      db,
      {
        merchant_id: merchantId,
        id,
        data_type: body.dataType,
        start_date: body.startDate,
        end_date: endDate,
        language: body.language,
        created_by: user.id,
        created_by_name: user.name,
        created_at: now,
        role: user.role,
        groups: db.scope.find((pair) => pair.merchantId === merchantId)?.groups ?? [],
      },
      config.DATA_RETRIEVAL_MAX,
    )
    if (!isStored) throw new ProductError('TooManyDataRetrievalRequests', { most: config.DATA_RETRIEVAL_MAX })
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'dataRetrievalRequest.create',
      subjectType: 'dataRetrievalRequest',
      subjectId: id,
      after: logged({ ...body, endDate }),
    })
    db.afterCommit(() => live.announce(merchantId, 'dataRetrievalRequest'))
    return requestOf(call, id)
  },

  deleteDataRetrievalRequest: async ({ db, params, user, now, live, blobs }) => {
    const removed = await removeRequest(db, params.dataRetrievalRequestId)
    if (!removed) throw new ProductError('DataRetrievalRequestNotFound')
    const { merchant_id: merchantId, id, blob } = removed
    const before = { dataType: removed.data_type, startDate: removed.start_date, endDate: removed.end_date }
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'dataRetrievalRequest.delete',
      subjectType: 'dataRetrievalRequest',
      subjectId: id,
      before,
    })
    db.afterCommit(() => {
      if (blob) void blobs.remove(blob)
      live.announce(merchantId, 'dataRetrievalRequest')
    })
  },

  downloadHistoricalData: async ({ params, config, doors, blobs, now, reply }) => {
    const { userId, ...key } = retrievalLinks(config.secretKey).read(params.token, now)
    const request = await findRequest(doors, key)
    if (request && (request.status === 'expired' || isOver(request, now)))
      throw new ProductError('DataRetrievalRequestExpired')
    const reader = await readerOf(doors, userId)
    const isAllowed =
      request !== undefined &&
      userMay(reader, 'dataRetrieval.read') &&
      covers(reader.scope, [{ merchantId: request.merchant_id, groups: request.groups }])
    const file = isAllowed && request.blob ? await blobs.get(request.blob) : undefined
    if (!isAllowed || !file) throw new ProductError('DataRetrievalRequestNotFound')
    const title = wordsIn(request.language, 'data-retrieval-request')(`type.${request.data_type}`)
    const name = `${title} ${request.start_date} ${request.end_date}.zip`
    return sendAttachment(reply, { name, type: 'application/zip', ...file })
  },
}
