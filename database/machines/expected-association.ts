import { sql } from 'kysely'
import { serialKey } from '#domain/machines/serial.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { when } from '../frame/conditions.ts'
import type { SystemDb, TenantDb } from '../frame/tenant.ts'

/** How long a machine is expected; of an import, which may be of a whole fleet, for longer. */
const expectedMs = 7 * 24 * 3_600_000
const expectedOfImportMs = 90 * 24 * 3_600_000
/** An import may expect far more than a list shows. */
const mostListed = 500

export interface ExpectedPlace {
  name: string | null
  groupId: string | null
  clientId: string | null
}

/** Expected machines of the scope, newest first and at most 500; with some groups, those of these groups. */
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
    .limit(mostListed)
    .execute()
export type ExpectedRecord = Awaited<ReturnType<typeof listExpected>>[number]

/**
 * Stores an expected machine, replacing the scope's earlier entry for the serial; returns the reason if it is refused. `most`: the limit
 * per merchant, without machines of imports.
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
    import_id: null,
  }
  const expected = db.query.selectFrom('expected_associations').where('merchant_id', '=', merchantId)
  await db.query
    .deleteFrom('expected_associations')
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '<=', now)
    .execute()
  const { others } = await expected
    .where('serial', '<>', serial)
    .where('import_id', 'is', null)
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
    .returning(['name', 'group_id', 'client_id', 'planogram_id', 'expires_at', 'address', 'sector', 'warranty_until'])
    .executeTakeFirst()
  return row && row.expires_at > now ? row : undefined
}

/** What a merchant expects of a machine. */
export interface ExpectedFields {
  name: string | null
  groupId: string | null
  clientId: string | null
  planogramId: string | null
  address: string | null
  sector: string | null
  /** A day. */
  warrantyUntil: string | null
}

/** An entry as an import finds it, so that it can be put back. */
export interface ExpectedEntry extends ExpectedFields {
  serial: string
  importId: string | null
  createdAt: Date
  createdBy: string
  expiresAt: Date
}

/** The merchant's entries for these serials that have not expired. `isReachable`: in the scope. */
export async function expectedBySerial(db: TenantDb, merchantId: string, serials: readonly string[], now: Date) {
  const { rows } = await sql<ExpectedEntry & { isReachable: boolean }>`
    select e.serial, e.name, e.group_id as "groupId", e.client_id as "clientId", e.planogram_id as "planogramId", e.address, e.sector,
      e.warranty_until::text as "warrantyUntil", e.import_id as "importId", e.created_at as "createdAt", e.created_by as "createdBy",
      e.expires_at as "expiresAt", ${db.narrow('expected_associations', 'e')} as "isReachable"
    from expected_associations e where ${db.own('e')} and e.merchant_id = ${merchantId} and e.expires_at > ${now}
      and e.serial = any(${serials}::text[])`.execute(db.query)
  return new Map(rows.map((row) => [row.serial, row]))
}

const entryColumns = [
  'merchant_id',
  'serial',
  'name',
  'group_id',
  'client_id',
  'planogram_id',
  'address',
  'sector',
  'warranty_until',
  'import_id',
  'created_at',
  'created_by',
  'expires_at',
]

/** Stores entries in place of those for the same serials. */
export async function putExpected(db: TenantDb, merchantId: string, entries: readonly ExpectedEntry[]): Promise<void> {
  const set = entryColumns.slice(2).map((name) => `${name} = excluded.${name}`)
  await insertRows(
    db.query,
    'expected_associations',
    entryColumns,
    entries.map((one) => [
      merchantId,
      one.serial,
      one.name,
      one.groupId,
      one.clientId,
      one.planogramId,
      one.address,
      one.sector,
      one.warrantyUntil,
      one.importId,
      one.createdAt,
      one.createdBy,
      one.expiresAt,
    ]),
    `on conflict (merchant_id, serial) do update set ${set.join(', ')}`,
  )
}

/** An entry of an import. */
export const expectedOfImport = (
  serial: string,
  fields: ExpectedFields,
  { importId, userId, now }: { importId: string; userId: string; now: Date },
): ExpectedEntry => ({
  ...fields,
  serial: serialKey(serial),
  importId,
  createdAt: now,
  createdBy: userId,
  expiresAt: new Date(now.getTime() + expectedOfImportMs),
})

export const dropExpected = (db: TenantDb, merchantId: string, serials: readonly string[]) =>
  sql`delete from expected_associations where merchant_id = ${merchantId} and serial = any(${serials}::text[])`.execute(
    db.query,
  )

/** The merchant's machines with these serials, by the serial as users write it. `isReachable`: in the scope. */
export async function machinesBySerial(db: TenantDb, merchantId: string, serials: readonly string[]) {
  const { rows } = await sql<{ id: string; key: string; isReachable: boolean }>`
    select m.id, upper(m.serial) as key, ${db.narrow('machines', 'm')} as "isReachable" from machines m
    where ${db.own('m')} and m.merchant_id = ${merchantId} and m.deleted_at is null and upper(m.serial) = any(${serials}::text[])`.execute(
    db.query,
  )
  return new Map(rows.map((row) => [row.key, row]))
}
