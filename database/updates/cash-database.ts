import { sql } from 'kysely'
import { anyOf, when } from '../frame/conditions.ts'
import { recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { FileColumns } from './firmware.ts'

export const cashDatabaseList = recordList({
  list: 'cashDatabases',
  table: 'cash_databases',
  where: (_, { currencies, deviceTypes, peripherals, isMachines, hasFile }) => [
    anyOf('cash_databases.currency', currencies, 'text'),
    anyOf('cash_databases.peripheral', peripherals, 'text'),
    when(deviceTypes, (some) => sql<boolean>`cash_databases.device_types && ${some}::text[]`),
    when(isMachines, (expected) => sql<boolean>`(cash_databases.peripheral is null) = ${expected}`),
    when(hasFile, (expected) => sql<boolean>`(cash_databases.file_id is not null) = ${expected}`),
  ],
  orders: { file: sql`cash_databases.file_bytes` },
  file: { file: sql`cash_databases.file_bytes` },
})

/** Stores the file of a database, which is locked. */
export async function writeDatabaseFile(db: TenantDb, key: RecordKey, file: FileColumns): Promise<void> {
  await db.query
    .updateTable('cash_databases')
    .set({ ...file })
    .where('merchant_id', '=', key.merchant_id)
    .where('id', '=', key.id)
    .execute()
}

/** Locks a database of the scope until the transaction ends. */
export const holdDatabase = (db: TenantDb, id: string): Promise<RecordKey | undefined> =>
  db
    .from('cash_databases')
    .where('cash_databases.id', '=', id)
    .select(['cash_databases.merchant_id', 'cash_databases.id'])
    .forUpdate('cash_databases')
    .executeTakeFirst()

/** Commands of a merchant that have not ended and name a file. */
export async function commandsWithDatabase(db: TenantDb, merchantId: string, fileId: string): Promise<number> {
  const { n } = await db.query
    .selectFrom('remote_commands')
    .where('merchant_id', '=', merchantId)
    .where('status', 'in', [0, 1])
    .where(sql<boolean>`parameters -> 'file' ->> 'id' = ${fileId}`)
    .select(sql<number>`count(*)::int`.as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** The registered database of a version that has a file, for a device type; undefined if there is none. */
export async function databaseOfRelease(
  db: TenantDb,
  target: { merchantId: string; release: string; deviceType: string; peripheral: string | null },
): Promise<string | undefined> {
  const cashDatabase = await db
    .from('cash_databases')
    .where('merchant_id', '=', target.merchantId)
    .where('release', '=', target.release)
    .where('file_id', 'is not', null)
    .where(
      sql<boolean>`peripheral is not distinct from ${target.peripheral}::text and ${target.deviceType} = any(device_types)`,
    )
    .select('id')
    .executeTakeFirst()
  return cashDatabase?.id
}
