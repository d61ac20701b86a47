import { z } from 'zod'
import { type ErrorCode, errors } from '../errors.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, ordTypes, Text } from '../frame/shapes.ts'
import { ExportFormat, ExportStatus } from '../vocabulary/export.ts'
import { Language } from '../vocabulary/world/languages.ts'
import { columnIdsOf, type ExportList, exportLists, type IsOfMachine, isOfMachine } from './export-lists.ts'

type Lists = typeof exportLists

const columnsOf = <Id extends string>(ids: readonly Id[]) =>
  z
    .array(z.enum(ids))
    .min(1)
    .max(ids.length)
    .refine((columns) => new Set(columns).size === columns.length)

/** What every order says beside its list: the columns as shown, from the first on, and in whose language the file speaks. */
const common = { format: ExportFormat, ordType: z.enum(ordTypes).optional(), language: Language }

/** The machine's id, for lists of one machine. */
type Machine<L extends ExportList> = IsOfMachine<L> extends true ? { posId: z.ZodUUID } : Record<never, never>

const orderOf = <L extends ExportList>(list: L) => {
  const { ords, filters } = exportLists[list] as Lists[L]
  const shape = {
    list: z.literal(list),
    ...common,
    columns: columnsOf(columnIdsOf(list)),
    filter: filters as Lists[L]['filters'],
    ord: z.enum(ords as Lists[L]['ords']).optional(),
  }
  return z.strictObject(Object.assign(shape, isOfMachine(list) && { posId: ids.posId }) as typeof shape & Machine<L>)
}
type Order = { [L in ExportList]: ReturnType<typeof orderOf<L>> }[ExportList]

/** The list to export, as on the user's screen. The filter has the form of the list's own query. */
export const ExportOrder = z.discriminatedUnion(
  'list',
  // Cast: the orders of a table of lists are a tuple of at least one.
  (Object.keys(exportLists) as ExportList[]).map((list) => orderOf(list)) as unknown as [Order, ...Order[]],
)
export type ExportOrder = z.output<typeof ExportOrder>
export type ExportOrderOf<L extends ExportList> = z.output<ReturnType<typeof orderOf<L>>>

/** A file that a worker writes. `total` is not known before the rows are counted; `size` is in bytes. */
export const ExportJob = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  list: z.enum(Object.keys(exportLists) as [ExportList, ...ExportList[]]),
  format: ExportFormat,
  status: ExportStatus,
  /** Why it failed. */
  failure: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).nullable(),
  total: z.int().nullable(),
  written: z.int(),
  size: z.int().nullable(),
  fileName: z.string().nullable(),
  /** The download address for a browser; it works without a token until `expiresAt`, and is null afterwards. */
  link: z.string().nullable(),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
})
export type ExportJob = z.infer<typeof ExportJob>

/** Maximum exports of one user that wait or run. */
export const mostRunningExports = 3

const orderFails = [
  'Forbidden',
  'MachineNotFound',
  'MerchantNotFoundException',
  'GroupNotFound',
  'ClientNotFound',
  'PeriodReversed',
  'PeriodTooLong',
  'FeatureNotEnabled',
  'FeatureFilterOfAll',
] as const

export const exports = {
  exportShown: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/exports/shown',
    summary: 'Export a list as a file, up to the configured number of rows',
    needs: 'export.create',
    body: ExportOrder,
    produces: 'application/octet-stream',
    fails: orderFails,
    timeOut: 'large',
  }),
  createExport: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/exports',
    summary: 'Start a background export of a whole list',
    needs: 'export.create',
    body: ExportOrder,
    hasSecret: true,
    ok: ExportJob,
    status: 201,
    fails: [...orderFails, 'TooManyExports'],
  }),
  listExports: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/exports',
    summary: 'List your exports, newest first; with all merchants selected, those of all merchants',
    needs: 'export.create',
    hasSecret: true,
    ok: z.array(ExportJob),
  }),
  getExport: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/exports/{exportId}',
    summary: 'Get one of your exports',
    needs: 'export.create',
    hasSecret: true,
    ok: ExportJob,
    fails: ['ExportNotFound'],
  }),
  cancelExport: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/exports/{exportId}/cancel',
    summary: 'Cancel a waiting or running export',
    needs: 'export.create',
    hasSecret: true,
    ok: ExportJob,
    fails: ['ExportNotFound'],
  }),
  downloadExport: endpoint({
    method: 'GET',
    path: '/exports/{token}',
    summary: 'Download the file of an export',
    needs: 'anyone',
    params: { token: Text.max(200) },
    produces: 'application/octet-stream',
    fails: ['ExportNotFound', 'ExportExpired'],
    timeOut: 'large',
  }),
}
