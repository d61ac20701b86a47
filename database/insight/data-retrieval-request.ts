import { type Selectable, sql } from 'kysely'
import type {
  DataRetrievalRequest,
  DataRetrievalRequestFilters,
  dataRetrievalRequestOrds,
} from '#contract/insight/data-retrieval-request.ts'
import type { RetrievalFileName, RetrievalMessage } from '#contract/vocabulary/insight/data-retrieval.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { anyOf, inPeriod, when } from '../frame/conditions.ts'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import { type Hidden, hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { DB } from '../frame/schema.gen.ts'
import type { Doors, ScopePair, SystemDb, TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

export interface RetrievedFile {
  name: RetrievalFileName
  rows: number
}

/** A request as it is stored. */
export interface StoredRequest
  extends Omit<Selectable<DB['data_retrieval_requests']>, keyof Shown | 'language' | 'role' | 'groups' | 'created_by'>,
    Omit<Shown, 'merchant_name' | 'time_zone' | 'link' | 'created_by'> {
  language: Language
  created_by: string
  role: Role
  groups: ScopePair['groups']
}
type Shown = RowOf<typeof DataRetrievalRequest>

/** A request as a list shows it. */
export interface RequestRow extends StoredRequest {
  merchant_name: string
  time_zone: string
  created_by_shown: string | null
}

type Ord = (typeof dataRetrievalRequestOrds)[number]
const creator = (hidden: Hidden) => redactedName(sql`request.created_by`, sql`request.created_by_name`, hidden)

/** Returns a function that starts a query on the matching requests. */
async function requestsMatching(db: TenantDb, filters: DataRetrievalRequestFilters, hidden: Hidden) {
  const inside = await inPeriod(db, 'request', 'created_at', filters)
  return () =>
    db.query
      .selectFrom('data_retrieval_requests as request')
      .where(db.narrow('data_retrieval_requests', 'request'))
      .innerJoin('merchants', 'merchants.id', 'request.merchant_id')
      .where(inside)
      .where(anyOf('request.data_type', filters.dataTypes, 'text'))
      .where(anyOf('request.status', filters.statuses, 'text'))
      .where(holds(creator(hidden), filters.search))
}

/** Newest first by default. */
const requestOrdering = orderOf<Ord>({
  by: {
    createdAt: sql`request.created_at`,
    startDate: sql`request.start_date`,
    endDate: sql`request.end_date`,
    status: sql`request.status`,
    rows: sql`request.rows`,
    dataType: sql`request.data_type`,
    merchant: sql`lower(merchants.name)`,
    expiresAt: sql`request.expires_at`,
  },
  first: 'createdAt',
  falling: 'all',
  full: ['createdAt'],
  ties: (direction) => sql`request.id ${direction}`,
})

/** A page of requests, and the total; `id` selects one. */
export async function listRequests(
  db: TenantDb,
  query: DataRetrievalRequestFilters & Page & Sorted<Ord>,
  seesInvisible: boolean,
  id?: string,
) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const matching = await requestsMatching(db, query, hidden)
  return pageOf(db, query, {
    matching: () => matching().where(when(id, (one) => sql<boolean>`request.id = ${one}`)),
    order: requestOrdering(query),
    select: (requests) =>
      requests
        .selectAll('request')
        .select(['merchants.name as merchant_name', 'merchants.time_zone', creator(hidden).as('created_by_shown')])
        .$castTo<RequestRow>(),
  })
}

/** The requests, filtered and sorted. Files never contain users that are hidden from merchants. */
export const dataRetrievalRequestsSource: ExportSource<'dataRetrievalRequests'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable(
    'dataRetrievalRequests',
    'data_retrieval_requests',
    { merchant: sql`merchants.name`, createdBy: sql`visible.by` },
    'request',
  ),
  open: async (db, order) => {
    const hidden = await hiddenFrom(db, false)
    const visible = sql<{ by: string | null }>`(select ${creator(hidden)} as by)`.as('visible')
    const matching = await requestsMatching(db, order.filter, hidden)
    return rowsOf(
      matching().innerJoinLateral(visible, (join) => join.onTrue()),
      requestOrdering(order),
    )
  },
}

export type NewRequest = Pick<
  StoredRequest,
  | 'merchant_id'
  | 'id'
  | 'data_type'
  | 'start_date'
  | 'end_date'
  | 'language'
  | 'created_by'
  | 'created_by_name'
  | 'role'
  | 'groups'
  | 'created_at'
>

/** Stores a request and queues it; false if `most` requests of the merchant wait or are written. */
export async function createRequest(db: TenantDb, request: NewRequest, most: number): Promise<boolean> {
  // Two concurrent requests would both miss the other in their count.
  await sql`select pg_advisory_xact_lock(hashtextextended('gettone.data-retrievals:' || ${request.merchant_id}, 0))`.execute(
    db.query,
  )
  const { n } = await db
    .from('data_retrieval_requests')
    .where('data_retrieval_requests.merchant_id', '=', request.merchant_id)
    .where('data_retrieval_requests.status', '=', 'created')
    .select(sql<number>`count(*)::int`.as('n'))
    .executeTakeFirstOrThrow()
  if (n >= most) return false
  await db.query
    .insertInto('data_retrieval_requests')
    .values({ ...request, groups: JSON.stringify(request.groups), status: 'created' })
    .execute()
  await sql`select queue_data_retrieval(${request.merchant_id}::uuid, ${request.id}::uuid)`.execute(db.query)
  return true
}

/** Removes a request, which also ends its run; undefined outside the scope. */
export async function removeRequest(db: TenantDb, id: string): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`delete from data_retrieval_requests
    where ${db.narrow('data_retrieval_requests')} and id = ${id} returning *`.execute(db.query)
  return rows[0]
}

/** The key of a request. */
export interface RequestKey {
  merchantId: string
  id: string
}

const within = <T>(doors: Doors, { merchantId }: RequestKey, work: (db: TenantDb) => Promise<T>): Promise<T> =>
  doors.withTenant([{ merchantId, groups: 'all' }], work)

const isRequest = ({ merchantId, id }: RequestKey) => sql`merchant_id = ${merchantId}::uuid and id = ${id}::uuid`

export const findRequest = (doors: Doors, key: RequestKey): Promise<StoredRequest | undefined> =>
  within(doors, key, async (db) => {
    const { rows } = await sql<StoredRequest>`select * from data_retrieval_requests where ${isRequest(key)}`.execute(
      db.query,
    )
    return rows[0]
  })

/** Starts a run, also after an earlier one; undefined if the request has ended or is deleted. */
export const beginRequest = (doors: Doors, key: RequestKey): Promise<StoredRequest | undefined> =>
  within(doors, key, async (db) => {
    const { rows } = await sql<StoredRequest>`update data_retrieval_requests
      set attempt = attempt + 1, files = '[]', rows = 0 where ${isRequest(key)} and status = 'created'
      returning *`.execute(db.query)
    return rows[0]
  })

type Run = Pick<StoredRequest, 'merchant_id' | 'id' | 'attempt'>
const isRun = ({ merchant_id, id, attempt }: Run) =>
  sql`${isRequest({ merchantId: merchant_id, id })} and attempt = ${attempt} and status = 'created'`
const rowsIn = (files: readonly RetrievedFile[]) => files.reduce((sum, { rows }) => sum + rows, 0)

/** Stores the progress of a run; false if the request is deleted, or a newer run has taken it. */
export const noteFiles = (doors: Doors, run: Run, files: readonly RetrievedFile[]): Promise<boolean> =>
  within(doors, { merchantId: run.merchant_id, id: run.id }, async (db) => {
    const { numAffectedRows } = await sql`update data_retrieval_requests
      set files = ${JSON.stringify(files)}::jsonb, rows = ${rowsIn(files)} where ${isRun(run)}`.execute(db.query)
    return numAffectedRows === 1n
  })

/** How a run ended. */
export type Ending =
  | { status: 'completed'; files: readonly RetrievedFile[]; size: number; blob: string; until: Date }
  | { status: 'error'; message: RetrievalMessage }

/** Ends a run; returns whether it was still the current one. */
export const endRequest = (doors: Doors, run: Run, ending: Ending, at: Date): Promise<boolean> =>
  within(doors, { merchantId: run.merchant_id, id: run.id }, async (db) => {
    const facts =
      ending.status === 'error'
        ? sql`message = ${ending.message}, files = '[]', rows = 0`
        : sql`files = ${JSON.stringify(ending.files)}::jsonb, rows = ${rowsIn(ending.files)}, size = ${ending.size},
            blob = ${ending.blob}, expires_at = ${ending.until}`
    const { numAffectedRows } = await sql`update data_retrieval_requests
      set status = ${ending.status}, ended_at = ${at}, ${facts} where ${isRun(run)}`.execute(db.query)
    return numAffectedRows === 1n
  })

/** Claims the mail of a completed request, so that it is sent once; undefined if there is none to send. */
export const claimMail = (doors: Doors, key: RequestKey, at: Date): Promise<StoredRequest | undefined> =>
  within(doors, key, async (db) => {
    const { rows } = await sql<StoredRequest>`update data_retrieval_requests set mailed_at = ${at}
      where ${isRequest(key)} and status = 'completed' and mailed_at is null returning *`.execute(db.query)
    return rows[0]
  })

/** Returns the claim of a mail that could not be sent. */
export const returnMail = (doors: Doors, key: RequestKey) =>
  within(doors, key, (db) =>
    sql`update data_retrieval_requests set mailed_at = null where ${isRequest(key)}`.execute(db.query),
  )

/** Ends the time of files; returns them with their merchants. */
export const expireRequests = (doors: Doors, now: Date): Promise<{ merchantId: string; blob: string }[]> =>
  doors.withSystem('data retrieval requests', async (db: SystemDb) => {
    const { rows } = await sql<{ merchantId: string; id: string; blob: string }>`
      select merchant_id as "merchantId", id, blob from data_retrieval_requests
      where status = 'completed' and expires_at <= ${now} order by merchant_id, id`.execute(db)
    const ended: { merchantId: string; blob: string }[] = []
    for (const { merchantId, id, blob } of rows) {
      // Another worker may end it at the same time.
      const { numAffectedRows } = await sql`update data_retrieval_requests set status = 'expired', blob = null
        where merchant_id = ${merchantId} and id = ${id} and status = 'completed'`.execute(db)
      if (numAffectedRows === 1n) ended.push({ merchantId, blob })
    }
    return ended
  })

/** Ends requests that no run has finished since then, such as those whose worker died in its last try; returns their merchants. */
export const endLostRequests = (doors: Doors, createdBefore: Date, now: Date): Promise<{ merchantId: string }[]> =>
  doors.withSystem('data retrieval requests', async (db: SystemDb) => {
    const { rows } = await sql<{ merchantId: string }>`update data_retrieval_requests
      set status = 'error', message = 'failed', files = '[]', rows = 0, ended_at = ${now}
      where status = 'created' and created_at < ${createdBefore} returning merchant_id as "merchantId"`.execute(db)
    return rows
  })

/** Queues requests that were created before the queue existed. */
export const queueWaitingRequests = (doors: Doors) =>
  doors.withSystem('data retrieval requests', async (db) => {
    const { rows } = await sql<{ merchantId: string; id: string }>`select merchant_id as "merchantId", id
      from data_retrieval_requests where status = 'created' and attempt = 0`.execute(db)
    const [merchantIds, ids] = [rows.map(({ merchantId }) => merchantId), rows.map(({ id }) => id)]
    await sql`select queue_data_retrieval(merchant_id, id) from unnest(${merchantIds}::uuid[], ${ids}::uuid[])
      as waiting (merchant_id, id)`.execute(db)
  })
