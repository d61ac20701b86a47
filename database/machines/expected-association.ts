import { sql } from 'kysely'
import { serialKey } from '#domain/machines/serial.ts'
import { when } from '../frame/conditions.ts'
import type { SystemDb, TenantDb } from '../frame/tenant.ts'

/** How long a machine is expected. */
const expectedMs = 7 * 24 * 3_600_000

export interface ExpectedPlace {
  name: string | null
  groupId: string | null
  clientId: string | null
}

/** Expected machines of the scope, newest first; with some groups, those of these groups. */
export const listExpected = (db: TenantDb, now: Date, serial?: string) =>
  db
    .from('expected_associations')
    .leftJoin('groups', (join) =>
      join
        .onRef('groups.merchant_id', '=', 'expected_associations.merchant_id')
        .onRef('groups.id', '=', 'expected_associations.group_id'),
    )
    .leftJoin('clients', (join) =>
      join
        .onRef('clients.merchant_id', '=', 'expected_associations.merchant_id')
        .onRef('clients.id', '=', 'expected_associations.client_id'),
    )
    .where('expected_associations.expires_at', '>', now)
    .where(when(serial, (one) => sql<boolean>`expected_associations.serial = ${serialKey(one)}`))
    .select([
      'expected_associations.merchant_id',
      'expected_associations.serial',
      'expected_associations.name',
      'expected_associations.group_id',
      'expected_associations.client_id',
      'groups.name as group_name',
      'clients.name as client_name',
      'expected_associations.created_at',
      'expected_associations.expires_at',
    ])
    .orderBy('expected_associations.created_at', 'desc')
    .orderBy('expected_associations.serial')
    .execute()
export type ExpectedRecord = Awaited<ReturnType<typeof listExpected>>[number]

/**
 * Stores an expected machine, replacing the scope's earlier entry for the serial; returns the reason if it is refused. `most`: the limit
 * per merchant.
 */
export async function storeExpected(
  db: TenantDb,
  merchantId: string,
  typed: string,
  place: ExpectedPlace,
  { userId, now, most }: { userId: string; now: Date; most: number },
): Promise<'MachineExpectedElsewhere' | 'TooManyExpectedMachines' | undefined> {
  const serial = serialKey(typed)
  const row = {
    name: place.name,
    group_id: place.groupId,
    client_id: place.clientId,
    created_at: now,
    created_by: userId,
    expires_at: new Date(now.getTime() + expectedMs),
  }
  const expected = db.query.selectFrom('expected_associations').where('merchant_id', '=', merchantId)
  await db.query
    .deleteFrom('expected_associations')
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '<=', now)
    .execute()
  const { others } = await expected
    .where('serial', '<>', serial)
    .select(sql<number>`count(*)::int`.as('others'))
    .executeTakeFirstOrThrow()
  if (others >= most) return 'TooManyExpectedMachines'
  // An entry for the serial in a group outside the scope is kept.
  const stored = await db.query
    .insertInto('expected_associations')
    .values({ merchant_id: merchantId, serial, ...row })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'serial']).doUpdateSet(row).where(db.narrow('expected_associations')),
    )
    .executeTakeFirst()
  return Number(stored.numInsertedOrUpdatedRows) > 0 ? undefined : 'MachineExpectedElsewhere'
}

/** Removes the scope's entry for a serial. */
export const forgetExpected = (db: TenantDb, serial: string) =>
  db.query
    .deleteFrom('expected_associations')
    .where(db.narrow('expected_associations'))
    .where('serial', '=', serialKey(serial))
    .execute()

/** Whether a machine of the scope has this serial. */
export const hasSerial = async (db: TenantDb, merchantId: string, serial: string): Promise<boolean> =>
  (await db
    .from('machines')
    .where('machines.merchant_id', '=', merchantId)
    .where(sql<boolean>`upper(machines.serial) = ${serialKey(serial)}`)
    .select('machines.id')
    .executeTakeFirst()) !== undefined

/** Whether a machine of the scope may associate again. */
export const mayReassociate = async (db: TenantDb, serial: string, now: Date): Promise<boolean> =>
  (await db
    .from('machines')
    .where(sql<boolean>`upper(machines.serial) = ${serialKey(serial)}`)
    .where('machines.reassociation_until', '>', now)
    .select('machines.id')
    .executeTakeFirst()) !== undefined

/** Removes and returns a merchant's entry for a machine that associates now. */
export const takeExpected = async (db: SystemDb, merchantId: string, serial: string, now: Date) => {
  const row = await db
    .deleteFrom('expected_associations')
    .where('merchant_id', '=', merchantId)
    .where('serial', '=', serialKey(serial))
    .returning(['name', 'group_id', 'client_id', 'expires_at'])
    .executeTakeFirst()
  return row && row.expires_at > now ? row : undefined
}
