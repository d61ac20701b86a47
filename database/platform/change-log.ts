import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import { among } from '../frame/conditions.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Who changes something, as the change log names them: a user, or an end customer. */
export interface Actor {
  id: string
  name: string
}

/** One change by a user, written in the transaction of the change. `before` and `after` hold what an admin should see. */
export interface Change {
  merchantId: string
  at: Date
  user: Actor
  action: string
  subjectType: string
  subjectId: string
  before?: unknown
  after?: unknown
}

const columns = [
  'merchant_id',
  'id',
  'at',
  'user_id',
  'user_name',
  'action',
  'subject_type',
  'subject_id',
  'before',
  'after',
] as const

const written = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

export const recordChange = (db: TenantDb, change: Change): Promise<void> => recordChanges(db, [change])

/** The same for a call with many subjects: one entry each, so that every subject has its full history. */
export async function recordChanges(db: Pick<TenantDb, 'query'>, changes: readonly Change[]): Promise<void> {
  const rows = changes.map(({ merchantId, at, user, action, subjectType, subjectId, before, after }) => [
    merchantId,
    randomUUIDv7(),
    at,
    user.id,
    user.name,
    action,
    subjectType,
    subjectId,
    written(before),
    written(after),
  ])
  await insertRows(db.query, 'change_log', columns, rows)
}

/**
 * The last change of each subject, its author and time; subjects without a change are left out. `by` is null if the name is hidden from
 * the reader.
 */
export async function lastChanges(
  db: TenantDb,
  subjectType: string,
  subjectIds: readonly string[],
  seesInvisible: boolean,
) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const rows = await db
    .from('change_log')
    .distinctOn('change_log.subject_id')
    .where('change_log.subject_type', '=', subjectType)
    .where(among('change_log.subject_id', subjectIds, 'text'))
    .select(['change_log.subject_id', 'change_log.at'])
    .select(redactedName(sql`change_log.user_id`, sql`change_log.user_name`, hidden).as('by'))
    .orderBy('change_log.subject_id')
    .orderBy('change_log.at', 'desc')
    .execute()
  return new Map(rows.map(({ subject_id, ...change }) => [subject_id, change]))
}
