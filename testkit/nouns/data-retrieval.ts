import { randomUUIDv7 } from 'node:crypto'
import { retrievalLinks } from '#server/retrieval/link.ts'
import type { TestApi } from '../api.ts'
import { testSecretKey } from '../fixtures.ts'

/** A completed request of a user: three bytes, available for an hour. Returns its id and its link's token. */
export async function aDataRetrieval(
  { database, blobs }: Pick<TestApi, 'database' | 'blobs'>,
  user: { id: string },
  merchantId: string,
): Promise<{ id: string; token: string }> {
  const id = randomUUIDv7()
  const until = new Date(Date.now() + 3_600_000)
  const blob = `retrievals/${id}-1.zip`
  await blobs.put(blob, [Buffer.from('abc')])
  await database.admin(
    `insert into data_retrieval_requests (merchant_id, id, data_type, start_date, end_date, language, status, created_by,
       created_by_name, role, groups, attempt, files, rows, size, blob, created_at, ended_at, expires_at)
     values ($1, $2, 'transactions', '2026-01-01', '2026-01-31', 'en', 'completed', $3, 'Anna', 'merchantAdmin', '"all"', 1,
       '[{"name":"transactions","rows":7}]', 7, 3, $4, now(), now(), $5)`,
    [merchantId, id, user.id, blob, until],
  )
  return { id, token: retrievalLinks(testSecretKey).tokenOf({ merchantId, id, userId: user.id }, until) }
}
