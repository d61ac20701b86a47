import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { constraintOf } from '../frame/constraint.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { recordProviderChange } from '../platform/provider-log.ts'

export interface ServiceRecord {
  id: string
  name: string
  description: string | null
  url: string
  type: number
  version: number
  created_at: Date
}
export type ServiceFields = Pick<ServiceRecord, 'name' | 'description' | 'url' | 'type'>
type User = { id: string; name: string }

/** All payment services, by name. There are a few. */
export const paymentServices = (doors: Doors): Promise<ServiceRecord[]> =>
  doors.withSystem(
    'web payment services',
    (db) => db.selectFrom('web_payment_services').selectAll().orderBy(sql`lower(name)`).orderBy('id').execute(),
    'single statement',
  )

export const paymentService = (doors: Doors, id: string): Promise<ServiceRecord | undefined> =>
  doors.withSystem(
    'web payment services',
    (db) => db.selectFrom('web_payment_services').selectAll().where('id', '=', id).executeTakeFirst(),
    'single statement',
  )

/** The number of merchants with credentials, by service. */
export async function merchantsOfServices(doors: Doors): Promise<Map<string, number>> {
  const rows = await doors.withSystem(
    'web payment services',
    (db) =>
      db
        .selectFrom('web_payment_configs')
        .select(['service_id', sql<number>`count(*)::int`.as('merchants')])
        .groupBy('service_id')
        .execute(),
    'single statement',
  )
  return new Map(rows.map(({ service_id, merchants }) => [service_id, merchants]))
}

const refuseDuplicate = (error: unknown): never => {
  if (constraintOf(error) === 'web_payment_services_name')
    throw new ProductError('WebPaymentServiceAlreadyExists', { field: 'name' })
  throw error
}

const log = (
  db: SystemDb,
  action: string,
  id: string,
  user: User,
  at: Date,
  change: { before?: object; after?: object },
) =>
  recordProviderChange(db, {
    at,
    user,
    action,
    subjectType: 'webPaymentService',
    subjectId: id,
    ...change,
  })

const fieldsOf = ({ name, description, url, type }: ServiceFields): ServiceFields => ({ name, description, url, type })

/** Throws WebPaymentServiceAlreadyExists for a name that is taken. */
export const insertService = (doors: Doors, row: ServiceRecord, user: User): Promise<void> =>
  doors.withSystem('web payment services', async (db) => {
    await db.insertInto('web_payment_services').values(row).execute().catch(refuseDuplicate)
    await log(db, 'webPaymentService.create', row.id, user, row.created_at, { after: fieldsOf(row) })
  })

const held = (db: SystemDb, id: string) =>
  db.selectFrom('web_payment_services').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

const usersOf = async (db: SystemDb, id: string): Promise<number> => {
  const { users } = await db
    .selectFrom('web_payment_configs')
    .where('service_id', '=', id)
    .select(sql<number>`count(*)::int`.as('users'))
    .executeTakeFirstOrThrow()
  return users
}

const refuseInUse = async (db: SystemDb, id: string) => {
  const merchants = await usersOf(db, id)
  if (merchants > 0) throw new ProductError('WebPaymentServiceInUse', { merchants })
}

/** Stores a service unless its version is another one: then the stored one is returned. Undefined: there is none. */
export const writeService = (
  doors: Doors,
  { id, version, fields, user, at }: { id: string; version: number; fields: ServiceFields; user: User; at: Date },
): Promise<{ row: ServiceRecord; isStored: boolean } | undefined> =>
  doors.withSystem('web payment services', async (db) => {
    const before = await held(db, id)
    if (!before) return undefined
    if (JSON.stringify(fieldsOf(before)) === JSON.stringify(fieldsOf(fields))) return { row: before, isStored: true }
    if (before.version !== version) return { row: before, isStored: false }
    // Credentials belong to a type of provider.
    if (fields.type !== before.type) await refuseInUse(db, id)
    const row = await db
      .updateTable('web_payment_services')
      .set({ ...fieldsOf(fields), version: version + 1 })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseDuplicate)
    await log(db, 'webPaymentService.update', id, user, at, { before: fieldsOf(before), after: fieldsOf(fields) })
    return { row, isStored: true }
  })

/** Throws WebPaymentServiceNotFound, and WebPaymentServiceInUse while a merchant has credentials for it. */
export const removeService = (doors: Doors, id: string, user: User, at: Date): Promise<void> =>
  doors.withSystem('web payment services', async (db) => {
    const before = await held(db, id)
    if (!before) throw new ProductError('WebPaymentServiceNotFound')
    await refuseInUse(db, id)
    await db.deleteFrom('web_payment_services').where('id', '=', id).execute()
    await log(db, 'webPaymentService.delete', id, user, at, { before: fieldsOf(before) })
  })

/** Points a service at another address, for the demo's sandbox, whose port may change at each start. */
export const moveService = (doors: Doors, id: string, url: string): Promise<void> =>
  doors.withSystem('web payment services', async (db) => {
    await db.updateTable('web_payment_services').set({ url }).where('id', '=', id).execute()
  })
