import { type Selectable, sql } from 'kysely'
import type { ErrorCode } from '#contract/errors.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { writtenJson } from '../frame/records.ts'
import type { Exports } from '../frame/schema.gen.ts'
import type { Doors, Scope, SystemDb } from '../frame/tenant.ts'

type Row = Selectable<Exports>
export type ExportRecord = Omit<Row, 'role' | 'scope' | 'ordered'> & { role: Role; scope: Scope; ordered: unknown }
const recordOf = (row: Row): ExportRecord => ({
  ...row,
  role: row.role as Role,
  scope: writtenJson<Scope>(row.scope),
})

/** A user sees this many of the newest exports. */
const mostListed = 50

const running = ['waiting', 'running']

export interface NewExport {
  id: string
  userId: string
  merchantId: string
  role: Role
  scope: Scope
  /** The order as sent. The contract parses it again when the export runs. */
  ordered: unknown
  at: Date
}

/** Stores an export and queues it; undefined if `most` exports of the user wait or run. */
export async function createExport(doors: Doors, job: NewExport, most: number): Promise<ExportRecord | undefined> {
  return doors.withSystem('own exports', async (db) => {
    // Two concurrent orders would both miss the other in their count.
    await sql`select pg_advisory_xact_lock(hashtextextended('gettone.exports:' || ${job.userId}, 0))`.execute(db)
    const { n } = await db
      .selectFrom('exports')
      .where('user_id', '=', job.userId)
      .where('status', 'in', running)
      .select((query) => query.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (Number(n) >= most) return undefined
    const row = await db
      .insertInto('exports')
      .values({
        id: job.id,
        user_id: job.userId,
        merchant_id: job.merchantId,
        role: job.role,
        scope: JSON.stringify(job.scope),
        ordered: JSON.stringify(job.ordered),
        status: 'waiting',
        created_at: job.at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await sql`select queue_export(${job.id}::uuid)`.execute(db)
    return recordOf(row)
  })
}

const exportsOf = (db: SystemDb, userId: string) => db.selectFrom('exports').where('user_id', '=', userId).selectAll()

/** A user's exports, newest first; of one merchant, or of all. */
export async function listExports(doors: Doors, userId: string, merchantId?: string): Promise<ExportRecord[]> {
  const rows = await doors.withSystem(
    'own exports',
    (db) => {
      const query = exportsOf(db, userId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(mostListed)
      return (merchantId ? query.where('merchant_id', '=', merchantId) : query).execute()
    },
    'single statement',
  )
  return rows.map(recordOf)
}

/** One of the user's own exports, or undefined. */
export async function findOwnExport(doors: Doors, userId: string, id: string): Promise<ExportRecord | undefined> {
  const row = await doors.withSystem(
    'own exports',
    (db) => exportsOf(db, userId).where('id', '=', id).executeTakeFirst(),
    'single statement',
  )
  return row && recordOf(row)
}

/** Cancels a waiting export and asks a running one to stop. A finished export stays unchanged. */
export async function cancelExport(doors: Doors, userId: string, id: string, at: Date, until: Date): Promise<void> {
  await doors.withSystem('own exports', async (db) => {
    const update = db.updateTable('exports').where('user_id', '=', userId).where('id', '=', id)
    await update.where('status', '=', 'running').set({ cancel_requested: true }).execute()
    await update.where('status', '=', 'waiting').set({ status: 'cancelled', ended_at: at, expires_at: until }).execute()
  })
}

/** An export of any user. */
export async function findExport(doors: Doors, id: string): Promise<ExportRecord | undefined> {
  const row = await doors.withSystem(
    'run exports',
    (db) => db.selectFrom('exports').where('id', '=', id).selectAll().executeTakeFirst(),
    'single statement',
  )
  return row && recordOf(row)
}

/** Starts a run, also after an earlier one; undefined if the export has ended. */
export async function beginExport(doors: Doors, id: string, at: Date): Promise<ExportRecord | undefined> {
  const row = await doors.withSystem('run exports', (db) =>
    db
      .updateTable('exports')
      .where('id', '=', id)
      .where('status', 'in', running)
      .set((query) => ({
        status: 'running',
        attempt: query('attempt', '+', 1),
        started_at: at,
        total: null,
        written: 0,
      }))
      .returningAll()
      .executeTakeFirst(),
  )
  return row && recordOf(row)
}

/** One run of an export. An older run, whose worker was taken for dead, changes nothing. */
export type Run = Pick<ExportRecord, 'id' | 'attempt'>

const ofRun = (db: SystemDb, run: Run) =>
  db.updateTable('exports').where('id', '=', run.id).where('attempt', '=', run.attempt).where('status', '=', 'running')

/** Stores the progress of a run. Returns whether to continue, to stop for good, or to leave the export to a newer run. */
export async function noteProgress(
  doors: Doors,
  run: Run,
  progress: { total?: number; written?: number; scope?: Scope },
): Promise<'go on' | 'cancelled' | 'superseded'> {
  const { scope, ...counts } = progress
  const row = await doors.withSystem('run exports', (db) =>
    ofRun(db, run)
      .set({ ...counts, ...(scope ? { scope: JSON.stringify(scope) } : {}), attempt: run.attempt })
      .returning('cancel_requested')
      .executeTakeFirst(),
  )
  if (!row) return 'superseded'
  return row.cancel_requested ? 'cancelled' : 'go on'
}

/** How a run ended. */
export type Ending =
  | { status: 'done'; written: number; total: number; size: number; blob: string; fileName: string }
  | { status: 'failed'; failure: ErrorCode }
  | { status: 'cancelled' }

/** Ends a run; returns whether it was still the current one. */
export async function endExport(doors: Doors, run: Run, ending: Ending, at: Date, until: Date): Promise<boolean> {
  const { status, ...rest } = ending
  const { fileName, ...facts } = { fileName: undefined, ...rest }
  const row = await doors.withSystem('run exports', (db) =>
    ofRun(db, run)
      .set({ ...facts, status, ...(fileName ? { file_name: fileName } : {}), ended_at: at, expires_at: until })
      .returning('id')
      .executeTakeFirst(),
  )
  return row !== undefined
}

/** Queues waiting exports that were ordered before the queue existed. */
export const queueWaitingExports = (doors: Doors) =>
  doors.withSystem('run exports', (db) =>
    sql`select queue_export(id) from exports where status = 'waiting'`.execute(db),
  )

/** Removes expired exports; returns their files. */
export async function removeExpiredExports(doors: Doors, now: Date): Promise<string[]> {
  const rows = await doors.withSystem('run exports', (db) =>
    db.deleteFrom('exports').where('expires_at', '<=', now).returning('blob').execute(),
  )
  return rows.flatMap(({ blob }) => (blob ? [blob] : []))
}
