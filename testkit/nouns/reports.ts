import { randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from '../database.ts'

/** A saved report of a user, shared by default: products of the last seven days. */
export async function aReport(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  ownerId: string,
  with_: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = randomUUIDv7()
  const row: Record<string, unknown> = {
    merchant_id: merchantId,
    id,
    owner_id: ownerId,
    owner_name: 'Test',
    name: `Report ${id}`,
    is_shared: true,
    definition: { type: 'products', preset: 'last7Days' },
    created_at: new Date(),
    ...with_,
  }
  const names = Object.keys(row)
  await database.admin(
    `insert into reports (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    names.map((name) => row[name]),
  )
  return id
}
