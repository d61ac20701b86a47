import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from './database.ts'

/** A row of the change log. */
export interface Entry {
  at: string
  user_id: string | null
  user_name: string
  action: string
  subject_type: string
  subject_id: string
  before: string | null
  after: string | null
}

/** An entry of the change log by a user; without an object unless given. */
export async function aChange(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  with_: Partial<Entry> = {},
): Promise<string> {
  const id = randomUUIDv7()
  const row: Entry = {
    at: '2026-11-20T11:00:00Z',
    user_id: null,
    user_name: 'Somebody',
    action: 'machine.update',
    subject_type: 'machine',
    subject_id: randomUUID(),
    before: null,
    after: null,
    ...with_,
  }
  await database.admin(
    `insert into change_log (merchant_id, id, at, user_id, user_name, action, subject_type, subject_id, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [merchantId, id, ...Object.values(row)],
  )
  return id
}

/** The changes of a record, oldest first. */
export const changesOf = (database: Pick<TestDatabase, 'admin'>, subjectId: string) =>
  database.admin<{ action: string; before: unknown; after: unknown }>(
    'select action, before, after from change_log where subject_id = $1 order by at, id',
    [subjectId],
  )
