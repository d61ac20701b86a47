import { randomInt, randomUUIDv7 } from 'node:crypto'
import { addCredit } from '#database/cashless/credit.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { type TestDatabase, wholeMerchant } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>

type Columns = Record<string, unknown>

const insert = async (database: Owned, table: string, columns: Columns): Promise<void> => {
  const names = Object.keys(columns)
  await database.admin(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(columns),
  )
}

/** A registered medium: a key, OK, without credit. */
export async function aMedia(database: Owned, merchantId: string, with_: Columns = {}): Promise<string> {
  const id = randomUUIDv7()
  const serial = `K${randomInt(1e9)}`
  const base = { merchant_id: merchantId, id, serial, type: 2, origin_type: 'staff', registered_at: new Date() }
  await insert(database, 'medias', { ...base, ...with_ })
  return id
}

/** Cloud credit of a medium, in minor units, paid at no machine. */
export const aCredit = (
  database: Pick<Doors, 'withTenant'>,
  merchantId: string,
  mediaId: string,
  credit: number,
  bonus = 0,
) =>
  database.withTenant(wholeMerchant(merchantId), (db) =>
    addCredit(
      db,
      merchantId,
      [
        {
          kind: 'correction',
          key: `test ${randomUUIDv7()}`,
          mediaId,
          credit,
          bonus,
          from: { kind: 'corrections', ownerId: merchantId },
          cause: { at: new Date() },
        },
      ],
      new Date(),
    ),
  )

/** An open finding on a medium. */
export async function aFinding(database: TestDatabase, merchantId: string, mediaId: string): Promise<string> {
  const id = randomUUIDv7()
  const base = { merchant_id: merchantId, id, media_id: mediaId, kind: 'counterReused', key: `test ${id}` }
  await insert(database, 'media_findings', { ...base, at: new Date(), amount: 50 })
  return id
}

/** A recharge of 300.00 at a machine, kept above a limit. Returns the id of its finding. */
export async function aKeptRecharge(
  database: TestDatabase,
  { merchantId, mediaId, posId }: { merchantId: string; mediaId: string; posId: string },
): Promise<string> {
  const key = `test ${randomUUIDv7()}`
  await database.withTenant(wholeMerchant(merchantId), (db) =>
    addCredit(
      db,
      merchantId,
      [
        {
          kind: 'machineRecharge',
          key,
          mediaId,
          credit: 30_000,
          from: { kind: 'machine', ownerId: posId },
          cause: { at: new Date(), posId },
        },
      ],
      new Date(),
    ),
  )
  const [row] = await database.admin<{ id: string }>(
    'select id from kept_recharges where merchant_id = $1 and key = $2',
    [merchantId, key],
  )
  if (!row) throw new Error('The recharge was not kept')
  return row.id
}

/** A refund in the cloud, as a row alone. */
export async function aRefund(database: Owned, merchantId: string, mediaId: string, with_: Columns = {}) {
  const id = randomUUIDv7()
  await insert(database, 'refunds', {
    merchant_id: merchantId,
    id,
    media_id: mediaId,
    kind: 'cloud',
    state: 'done',
    amount: 100,
    reason: 'Test',
    created_at: new Date(),
    created_by: randomUUIDv7(),
    created_by_name: 'Anna',
    ...with_,
  })
  return id
}
