import { randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from '../database.ts'

/** A file of clients that a user imported, of which every row was there already. Returns its id. */
export async function anImport(
  { admin }: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  userId: string,
): Promise<string> {
  const id = randomUUIDv7()
  await admin(
    `insert into imports (merchant_id, id, kind, file_name, at, user_id, user_name, mapping, created, updated, same, refused)
     values ($1, $2, 'clients', 'clients.csv', now(), $3, 'Anna', '{"name":0}', 0, 0, 1, 0)`,
    [merchantId, id, userId],
  )
  return id
}
