import { randomUUIDv7 } from 'node:crypto'
import type { TenantDb } from './tenant.ts'

/** One change by a person, written in the transaction that makes it. `before` and `after` are what an admin should see. */
export interface Change {
  merchantId: string
  at: Date
  user: { id: string; name: string }
  action: string
  subjectType: string
  subjectId: string
  before?: unknown
  after?: unknown
}

export async function recordChange(db: TenantDb, change: Change): Promise<void> {
  await db.query
    .insertInto('change_log')
    .values({
      merchant_id: change.merchantId,
      id: randomUUIDv7(),
      at: change.at,
      user_id: change.user.id,
      user_name: change.user.name,
      action: change.action,
      subject_type: change.subjectType,
      subject_id: change.subjectId,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    })
    .execute()
}
