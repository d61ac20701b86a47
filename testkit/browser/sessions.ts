import { randomUUID } from 'node:crypto'
import type { TestDatabase } from '../database.ts'

/** A user's session at the embedded provider, in another browser. */
export async function aSession({ admin }: TestDatabase, userId: string): Promise<string> {
  const id = randomUUID()
  const uid = randomUUID()
  await admin(`insert into identity_state (model, id, payload, uid) values ('Session', $1, '{}', $1)`, [uid])
  await admin(
    `insert into identity_sessions (id, provider_uid, user_id, since, last_used_at, address, user_agent)
     values ($1, $2, $3, now(), now(), '192.0.2.7', '')`,
    [id, uid, userId],
  )
  return id
}
