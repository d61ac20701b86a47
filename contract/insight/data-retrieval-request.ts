import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Day, Instant, oneOrMany, optionalPeriod, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import {
  RetrievalMessage,
  RetrievalStatus,
  RetrievalType,
  retrievalFiles,
} from '../vocabulary/insight/data-retrieval.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** A request for a merchant's historical data: a ZIP of CSV files that a worker writes, also from the archive. */
export const DataRetrievalRequest = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  createdAt: Instant,
  /** Days of the merchant, both included. */
  startDate: Day,
  endDate: Day,
  dataType: RetrievalType,
  status: RetrievalStatus,
  message: RetrievalMessage.nullable(),
  /** The files of the ZIP with their rows; while it is written, those so far. */
  files: z.array(z.strictObject({ name: z.enum(retrievalFiles), rows: z.int() })),
  /** Rows of all files. */
  rows: z.int(),
  /** Bytes of the ZIP. */
  size: z.int().nullable(),
  /** The reader's download address; it works without a token until `expiresAt`. Null without a file. */
  link: z.string().nullable(),
  /** Null for a user who is hidden from the reader. */
  createdBy: z.string().nullable(),
  endedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
})
export type DataRetrievalRequest = z.infer<typeof DataRetrievalRequest>

export const DataRetrievalRequestFilters = z.strictObject({
  /** In the name of the user. */
  search: Search.optional(),
  dataTypes: oneOrMany(RetrievalType),
  statuses: oneOrMany(RetrievalStatus),
  ...optionalPeriod,
})
export type DataRetrievalRequestFilters = z.infer<typeof DataRetrievalRequestFilters>

export const dataRetrievalRequestColumns = {
  dataType: { kind: 'word', heading: 'data-retrieval-request:field.dataType', of: 'retrievalType' },
  merchant: { kind: 'text', heading: 'data-retrieval-request:field.merchant' },
  createdAt: { kind: 'instant', heading: 'data-retrieval-request:field.createdAt' },
  startDate: { kind: 'day', heading: 'data-retrieval-request:field.startDate' },
  endDate: { kind: 'day', heading: 'data-retrieval-request:field.endDate' },
  status: { kind: 'status', heading: 'data-retrieval-request:field.status', of: 'retrievalStatus' },
  message: { sort: false, kind: 'word', heading: 'data-retrieval-request:field.message', of: 'retrievalMessage' },
  rows: { kind: 'number', heading: 'data-retrieval-request:field.rows' },
  expiresAt: { kind: 'instant', heading: 'data-retrieval-request:field.expiresAt' },
  createdBy: { sort: false, kind: 'text', heading: 'data-retrieval-request:field.createdBy' },
  file: { kind: 'own', heading: 'data-retrieval-request:field.file' },
} as const satisfies ListColumns

export const dataRetrievalRequestOrds = ordsOf(dataRetrievalRequestColumns, 'createdAt')

/** What a user requests. Days after today are cut off. The file is in `language`. */
export const NewDataRetrievalRequest = z.strictObject({
  dataType: RetrievalType,
  startDate: Day,
  endDate: Day,
  language: Language,
})
export type NewDataRetrievalRequest = z.infer<typeof NewDataRetrievalRequest>

const path = '/merchants/{merchantId}/historicaldata' as const

export const dataRetrievalRequests = {
  listDataRetrievalRequests: endpoint({
    method: 'GET',
    path,
    summary: 'List data retrieval requests',
    needs: 'dataRetrieval.read',
    topics: ['dataRetrievalRequest'],
    query: DataRetrievalRequestFilters.extend(paged(dataRetrievalRequestOrds)),
    hasSecret: true,
    ok: pageOf(DataRetrievalRequest),
    fails: ['PeriodReversed'],
  }),
  getDataRetrievalRequest: endpoint({
    method: 'GET',
    path: `${path}/{dataRetrievalRequestId}`,
    summary: 'Get a data retrieval request',
    needs: 'dataRetrieval.read',
    topics: ['dataRetrievalRequest'],
    hasSecret: true,
    ok: DataRetrievalRequest,
    fails: ['DataRetrievalRequestNotFound'],
  }),
  createDataRetrievalRequest: endpoint({
    method: 'POST',
    path,
    summary: 'Create a request for the historical data of some days: a ZIP of CSV files, archived months included',
    needs: 'dataRetrieval.write',
    body: NewDataRetrievalRequest,
    hasSecret: true,
    ok: DataRetrievalRequest,
    status: 201,
    fails: [
      'MerchantNotSelected',
      'PeriodReversed',
      'PeriodInFuture',
      'FeatureNotEnabled',
      'TooManyDataRetrievalRequests',
    ],
  }),
  deleteDataRetrievalRequest: endpoint({
    method: 'DELETE',
    path: `${path}/{dataRetrievalRequestId}`,
    summary: 'Delete a data retrieval request with its file; a request that is being written is cancelled',
    needs: 'dataRetrieval.write',
    fails: ['DataRetrievalRequestNotFound'],
  }),
  downloadHistoricalData: endpoint({
    method: 'GET',
    path: '/historicaldata/{token}',
    summary: 'Download the file of a data retrieval request',
    needs: 'anyone',
    params: { token: Text.max(300) },
    produces: 'application/octet-stream',
    fails: ['DataRetrievalRequestNotFound', 'DataRetrievalRequestExpired'],
    timeOut: 'large',
  }),
}

/** The list as a file. */
export const exportedDataRetrievalRequests = {
  row: dataRetrievalRequests.listDataRetrievalRequests,
  filters: DataRetrievalRequestFilters,
  ords: dataRetrievalRequestOrds,
  columns: dataRetrievalRequestColumns,
} as const satisfies ExportedList
