import { randomUUIDv7 } from 'node:crypto'
import { exportLinks } from '#server/export/link.ts'
import type { TestApi, TestUser } from './api.ts'
import { testSecretKey } from './fixtures.ts'

/** A finished export of a user: three bytes, available for an hour. Returns its id and its link's token. */
export async function anExport(
  { database, blobs }: Pick<TestApi, 'database' | 'blobs'>,
  user: Pick<TestUser, 'role'> & { id: string },
  merchantId: string,
  with_: Record<string, unknown> = {},
): Promise<{ id: string; token: string }> {
  const id = randomUUIDv7()
  const until = new Date(Date.now() + 3_600_000)
  const blob = `exports/${id}-1`
  await blobs.put(blob, [Buffer.from('abc')])
  const row = {
    id,
    user_id: user.id,
    merchant_id: merchantId,
    role: user.role,
    scope: JSON.stringify([{ merchantId, groups: 'all' }]),
    ordered: JSON.stringify({ list: 'machines', format: 'csv', columns: ['name'], filter: {}, language: 'en' }),
    status: 'done',
    attempt: 1,
    total: 1,
    written: 1,
    size: 3,
    blob,
    file_name: 'machines.csv',
    created_at: new Date(),
    ended_at: new Date(),
    expires_at: until,
    ...with_,
  }
  const names = Object.keys(row)
  await database.admin(
    `insert into exports (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return { id, token: exportLinks(testSecretKey).tokenOf(id, until) }
}
