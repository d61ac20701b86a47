import { randomUUIDv7 } from 'node:crypto'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import type { BreakablePostgres } from './harness.ts'

/** A merchant admin's request for all sales of a merchant that has so many, named P1, P2 …; a worker writes it once it is queued. */
export async function aRetrievalRequest(database: BreakablePostgres, rows: number) {
  const { admin } = database
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const user = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await admin(
    `insert into transactions (merchant_id, created_at, id, machine_id, saved_at, type, media_type, media_source, free_sale,
       error_sale, value, value_charge, product)
     select $1, now() - n * interval '1 second', gen_random_uuid(), $2, now(), 1, 1, 1, false, false, n, 0, 'P' || n
     from generate_series(1, $3) n`,
    [merchantId, machine.id, rows],
  )
  const id = randomUUIDv7()
  await admin(
    `insert into data_retrieval_requests (merchant_id, id, data_type, start_date, end_date, language, status, created_by,
       created_by_name, role, groups, created_at)
     values ($1, $2, 'transactions', current_date - 30, current_date + 1, 'en', 'created', $3, 'Test', $4, '"all"', now())`,
    [merchantId, id, user.id, user.role],
  )
  return {
    merchantId,
    id,
    userId: user.id,
    queue: () => admin('select queue_data_retrieval($1, $2)', [merchantId, id]),
  }
}

/** The sales in the file of a request, in its order. */
export const salesIn = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => /P\d+/.exec(line)?.[0] ?? [])
