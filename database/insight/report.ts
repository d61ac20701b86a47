import { sql } from 'kysely'
import { ReportDefinition, ReportSchedule, type sendFailures } from '#contract/insight/report.ts'
import { constraintOf } from '../frame/constraint.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** A saved report as it is stored. */
export interface ReportRecord {
  merchant_id: string
  merchant_name: string
  time_zone: string
  id: string
  owner_id: string
  owner_name: string
  name: string
  is_shared: boolean
  definition: ReportDefinition
  schedule: ReportSchedule | null
  next_at: Date | null
  try_at: Date | null
  tries: number
  last_sent_at: Date | null
  failure: SendFailure | null
  /** The `next_at` of the owner’s last mail that needs no further try. */
  settled_for: Date | null
  readers: ReportReader[]
  version: number
  created_at: Date
}
/** A colleague who gets the mails of a report. */
export interface ReportReader {
  user_id: string
  user_name: string
  settled_for: Date | null
  failure: SendFailure | null
}
export type SendFailure = (typeof sendFailures)[number]

/** What a user writes, and what follows from it. */
export type ReportContent = Pick<ReportRecord, 'name' | 'is_shared' | 'definition' | 'schedule' | 'next_at'>

const readerOf = (db: TenantDb) =>
  sql`${db.own('reader')} and reader.merchant_id = reports.merchant_id and reader.report_id = reports.id`

const withNeighbours = (db: TenantDb) =>
  db
    .from('reports')
    .innerJoin('merchants', 'merchants.id', 'reports.merchant_id')
    .selectAll('reports')
    .select(['merchants.name as merchant_name', 'merchants.time_zone'])
    .select(
      sql<(Omit<ReportReader, 'settled_for'> & { settled_for: string | null })[]>`coalesce((
        select jsonb_agg(to_jsonb(reader) - array['merchant_id', 'report_id'] order by lower(reader.user_name), reader.user_id)
        from report_readers reader where ${readerOf(db)}), '[]')`.as('readers'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof withNeighbours>['execute']>>[number]

/** Definitions of older versions are read with the schema of today; what it lacks is left out. */
const read = (row: Row): ReportRecord => ({
  ...row,
  definition: ReportDefinition.safeParse(row.definition).data ?? ReportDefinition.parse({ preset: 'previousMonth' }),
  schedule: ReportSchedule.safeParse(row.schedule).data ?? null,
  failure: row.failure as SendFailure | null,
  readers: row.readers.map((reader) => ({
    ...reader,
    settled_for: reader.settled_for === null ? null : new Date(reader.settled_for),
  })),
})

const isSeenBy = (db: TenantDb, userId: string) => sql<boolean>`(reports.is_shared or reports.owner_id = ${userId}::uuid
  or exists (select 1 from report_readers reader where ${readerOf(db)} and reader.user_id = ${userId}::uuid))`

/** A user's own reports, those of which they are a reader, and reports that other users share. */
export async function listReports(db: TenantDb, userId: string): Promise<ReportRecord[]> {
  const rows = await withNeighbours(db)
    .where(isSeenBy(db, userId))
    .orderBy(sql`lower(reports.name)`)
    .orderBy('reports.id')
    .execute()
  return rows.map(read)
}

/** A report that the user may see; `isHeld`: locked until the transaction ends. */
export async function findReport(
  db: TenantDb,
  userId: string,
  id: string,
  { isHeld = false } = {},
): Promise<ReportRecord | undefined> {
  const query = withNeighbours(db).where('reports.id', '=', id).where(isSeenBy(db, userId))
  const row = await (isHeld ? query.forUpdate('reports') : query).executeTakeFirst()
  return row && read(row)
}

export async function countReports(db: TenantDb, userId: string): Promise<number> {
  const { n } = await db
    .from('reports')
    .where('reports.owner_id', '=', userId)
    .select(sql<number>`count(*)::int`.as('n'))
    .executeTakeFirstOrThrow()
  return n
}

const columns = ({ name, is_shared, definition, schedule, next_at }: ReportContent) => ({
  name,
  is_shared,
  definition: JSON.stringify(definition),
  schedule: schedule && JSON.stringify(schedule),
  next_at,
  try_at: next_at,
  tries: 0,
})

/** The result of a write, or `taken` if the owner has a report of this name. */
const unlessTaken = <T>(write: Promise<T>): Promise<T | 'taken'> =>
  write.catch((error: { code?: string }) => {
    if (error.code === '23505' && constraintOf(error) === 'reports_by_name') return 'taken' as const
    throw error
  })

export const insertReport = (
  db: TenantDb,
  report: ReportContent & Pick<ReportRecord, 'merchant_id' | 'id' | 'owner_id' | 'owner_name' | 'created_at'>,
) => {
  const { merchant_id, id, owner_id, owner_name, created_at } = report
  const row = { ...columns(report), merchant_id, id, owner_id, owner_name, created_at }
  return unlessTaken(db.query.insertInto('reports').values(row).execute())
}

const one = (db: TenantDb, { merchant_id, id }: Pick<ReportRecord, 'merchant_id' | 'id'>) =>
  sql<boolean>`${db.narrow('reports')} and merchant_id = ${merchant_id} and id = ${id}`

/** Updates a held report. A new schedule forgets why the last mail failed. */
export const updateReport = (db: TenantDb, report: ReportRecord, content: ReportContent, isRescheduled: boolean) =>
  unlessTaken(
    db.query
      .updateTable('reports')
      .set({
        ...columns(content),
        ...(isRescheduled ? { failure: null } : { try_at: report.try_at, tries: report.tries }),
        version: sql<number>`version + 1`,
      })
      .where(one(db, report))
      .execute(),
  )

export const deleteReport = (db: TenantDb, report: ReportRecord) =>
  db.query.deleteFrom('reports').where(one(db, report)).execute()

/** Reports whose mail is due. */
export const dueReports = (doors: Doors, at: Date, limit: number) =>
  doors.withSystem(
    'report mail',
    (db) =>
      db
        .selectFrom('reports')
        .where('try_at', '<=', at)
        .select(['merchant_id as merchantId', 'id'])
        .orderBy('try_at')
        .limit(limit)
        .execute(),
    'single statement',
  )

/** A due report, locked until the transaction ends; undefined if another process sends it. */
export async function holdDueReport(db: TenantDb, id: string, at: Date): Promise<ReportRecord | undefined> {
  const row = await withNeighbours(db)
    .where('reports.id', '=', id)
    .where('reports.try_at', '<=', at)
    .forUpdate('reports')
    .skipLocked()
    .executeTakeFirst()
  return row && read(row)
}

type Key = Pick<ReportRecord, 'merchant_id' | 'id'>

/** Makes these users the readers of a report. Those who were readers keep the outcome of their last mail. */
export async function writeReaders(
  db: TenantDb,
  { merchant_id, id }: Key,
  readers: readonly Pick<ReportReader, 'user_id' | 'user_name'>[],
): Promise<void> {
  const userIds = readers.map(({ user_id }) => user_id)
  await db.query
    .deleteFrom('report_readers')
    .where('merchant_id', '=', merchant_id)
    .where('report_id', '=', id)
    .where(sql<boolean>`user_id <> all(${userIds}::uuid[])`)
    .execute()
  if (readers.length === 0) return
  await db.query
    .insertInto('report_readers')
    .values(readers.map((reader) => ({ ...reader, merchant_id, report_id: id })))
    .onConflict((conflict) => conflict.columns(['merchant_id', 'report_id', 'user_id']).doNothing())
    .execute()
}

/** A reader leaves a report. */
export const removeReader = (db: TenantDb, { merchant_id, id }: Key, userId: string) =>
  db.query
    .deleteFrom('report_readers')
    .where('merchant_id', '=', merchant_id)
    .where('report_id', '=', id)
    .where('user_id', '=', userId)
    .execute()

/** Stores the outcome of a reader's mail. */
export const noteReader = (
  db: TenantDb,
  { merchant_id, id }: Key,
  { user_id, settled_for, failure }: Pick<ReportReader, 'user_id' | 'settled_for' | 'failure'>,
) =>
  db.query
    .updateTable('report_readers')
    .set({ settled_for, failure })
    .where('merchant_id', '=', merchant_id)
    .where('report_id', '=', id)
    .where('user_id', '=', user_id)
    .execute()

/** The names of a user's reports at a merchant, in lower case. */
export async function reportNamesOf(db: TenantDb, userId: string): Promise<string[]> {
  const rows = await db
    .from('reports')
    .where('reports.owner_id', '=', userId)
    .select(sql<string>`lower(reports.name)`.as('name'))
    .execute()
  return rows.map(({ name }) => name)
}

/** Stores the outcome of a mail, and when the next one is due or tried again. */
export const noteSend = (
  db: TenantDb,
  report: ReportRecord,
  outcome: Pick<ReportRecord, 'next_at' | 'try_at' | 'tries' | 'failure' | 'settled_for'> & { last_sent_at?: Date },
) => db.query.updateTable('reports').set(outcome).where(one(db, report)).execute()

/** Makes a held report due now for its owner alone, whatever its schedule. The worker starts after the commit. */
export async function makeDue(db: TenantDb, report: ReportRecord, now: Date): Promise<void> {
  await db.query.updateTable('reports').set({ next_at: now, try_at: now, tries: 0 }).where(one(db, report)).execute()
  await db.query
    .updateTable('report_readers')
    .set({ settled_for: now })
    .where('merchant_id', '=', report.merchant_id)
    .where('report_id', '=', report.id)
    .execute()
  await sql`select queue_report_mails()`.execute(db.query)
}
