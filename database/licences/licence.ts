import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { constraintOf } from '../frame/constraint.ts'
import { type ListedRecord, recordList } from '../frame/record-list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { DB } from '../frame/schema.gen.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A value of the licence's machine, also of a deleted one. */
const ofMachine = (db: TenantDb, column: 'name' | 'serial' | 'device_type') =>
  sql<string>`(select ${sql.ref(`machine.${column}`)} from machines machine where ${db.own('machine')}
    and machine.merchant_id = licences.merchant_id and machine.id = licences.machine_id)`

const beside = {
  pos_id: () => sql<string>`licences.machine_id`,
  pos_name: (db: TenantDb) => ofMachine(db, 'name'),
  pos_serial: (db: TenantDb) => ofMachine(db, 'serial'),
  device_type: (db: TenantDb) => ofMachine(db, 'device_type'),
}

/** Today in the merchant's zone. */
const today = sql`(now() at time zone merchants.time_zone)::date`

export const licenceList = recordList({
  list: 'licences',
  table: 'licences',
  where: (_, { statuses, types, features, posIds, endsWithin }) => [
    anyOf('licences.status', statuses, 'int'),
    anyOf('licences.type', types, 'text'),
    when(features, (some) => sql<boolean>`licences.features && ${some}::text[]`),
    anyOf('licences.machine_id', posIds, 'uuid'),
    when(
      endsWithin,
      (
        days,
      ) => sql<boolean>`(licences.status < ${sql.lit(licenceStatuses.deactivated)} and licences.expires_on is not null and exists (
          select 1 from merchants where merchants.id = licences.merchant_id
            and licences.expires_on between ${today} and ${today} + ${days}::int))`,
    ),
  ],
  beside,
})

export type LicenceRecord = ListedRecord<'licences', typeof beside>
export type StoredLicence = Selectable<DB['licences']>

/** A licence of the scope, locked until the transaction ends. */
export async function holdLicence(db: TenantDb, id: string): Promise<LicenceRecord | undefined> {
  const licence = await licenceList.find(db, id)
  if (!licence) return undefined
  await db
    .from('licences')
    .where('licences.merchant_id', '=', licence.merchant_id)
    .where('licences.id', '=', id)
    .select('licences.id')
    .forUpdate()
    .execute()
  return licenceList.find(db, id)
}

const refuseTaken = (error: unknown): never => {
  if (constraintOf(error) === 'licences_of_machine') throw new ProductError('LicenceAlreadyExists', { field: 'posId' })
  throw error
}

/** Throws LicenceAlreadyExists when the machine has a licence. */
export async function insertLicence(db: TenantDb, row: Insertable<DB['licences']>): Promise<void> {
  await db.query.insertInto('licences').values(row).execute().catch(refuseTaken)
}

/** Writes what a step changes. Throws LicenceAlreadyExists when the machine has another licence. */
export async function writeLicence(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  change: Updateable<DB['licences']>,
): Promise<void> {
  await db.query
    .updateTable('licences')
    .set(change)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken)
}
