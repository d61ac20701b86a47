import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { among } from '../frame/conditions.ts'
import { constraintOf } from '../frame/constraint.ts'
import { heldApart } from '../frame/held-apart.ts'
import { type Scope, type TenantDb, withinScope } from '../frame/tenant.ts'
import { noteFormerPlaces } from '../sales/former-terms.ts'
import { noteNewGroups } from '../sales/regroup.ts'

export interface EditableMachine {
  merchant_id: string
  id: string
  version: number
  name: string
  address: string | null
  group_id: string | null
  client_id: string | null
  planogram_id: string | null
  no_vend_profile_id: string | null
  sector: string | null
  /** A date. */
  warranty_until: string | null
}

/** The editable fields of machines of the scope. */
const editableMachines = (db: TenantDb, ids: readonly string[]) =>
  db
    .from('machines')
    .where(among('machines.id', ids, 'uuid'))
    .select(['merchant_id', 'id', 'version', 'name', 'address', 'group_id', 'client_id', 'sector'])
    .select(['planogram_id', 'no_vend_profile_id'])
    .select(sql<string | null>`warranty_until::text`.as('warranty_until'))
    .orderBy('machines.id')

/** The same, locked until the transaction ends. */
export const machinesToEdit = (db: TenantDb, ids: readonly string[]): Promise<EditableMachine[]> =>
  heldApart(db, 'machines', ids, (of) => editableMachines(of, ids).forUpdate('machines').execute())

/** The same, to compare them only. */
export const machinesToCompare = (db: TenantDb, ids: readonly string[]): Promise<EditableMachine[]> =>
  editableMachines(db, ids).execute()

/** The merchants of groups in a scope, by group id. */
export async function merchantsOfGroups(
  db: TenantDb,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query
    .selectFrom('groups')
    .where(withinScope(db, scope).narrow('groups'))
    .where(among('groups.id', ids, 'uuid'))
    .select(['groups.id', 'groups.merchant_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.merchant_id]))
}

/** The merchants of clients in a scope, by client id. */
export async function merchantsOfClients(db: TenantDb, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .from('clients')
    .where(among('clients.id', ids, 'uuid'))
    .select(['clients.id', 'clients.merchant_id'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.merchant_id]))
}

/**
 * The names among these that other machines hold. A name is unique within its merchant, so this checks beyond the groups of the scope; it
 * only reveals that a name is taken.
 */
export async function namesHeld(
  db: TenantDb,
  names: readonly { merchantId: string; after: string }[],
  others: readonly string[],
): Promise<(merchantId: string, name: string) => boolean> {
  if (names.length === 0) return () => false
  const rows = await db.query
    .selectFrom('machines')
    .where(db.own('machines'))
    .where(
      among(
        'machines.name',
        names.map(({ after }) => after),
        'text',
      ),
    )
    .where('machines.deleted_at', 'is', null)
    .where(sql<boolean>`not (machines.id = any(${others}::uuid[]))`)
    .select(['machines.merchant_id', 'machines.name'])
    .execute()
  const held = new Set(rows.map((row) => `${row.merchant_id} ${row.name}`))
  return (merchantId, name) => held.has(`${merchantId} ${name}`)
}

/** Writes edits and increments the versions. Machines may exchange names; `renamed` are the machines with a new name, by default all. */
export async function writeMachineEdits(
  db: TenantDb,
  machines: readonly EditableMachine[],
  now: Date,
  renamed: readonly string[] = machines.map(({ id }) => id),
): Promise<void> {
  if (machines.length === 0) return
  const ids = machines.map(({ id }) => id)
  await noteFormerPlaces(db, machines, now)
  await noteNewGroups(db, new Map(machines.map(({ id, group_id }) => [id, group_id])))
  // The unique key is checked row by row: machines that exchange names must drop their names first.
  if (renamed.length > 1)
    await db.query
      .updateTable('machines')
      .set({ name: sql<string>`machines.id::text` })
      .where(db.narrow('machines'))
      .where(among('machines.id', renamed, 'uuid'))
      .execute()
  const written = sql`
    update machines set name = e.name, address = e.address, group_id = e.group_id, client_id = e.client_id,
      sector = e.sector, warranty_until = e.warranty_until, updated_at = now(), version = machines.version + 1
    from unnest(${machines.map((one) => one.merchant_id)}::uuid[], ${ids}::uuid[],
      ${machines.map((one) => one.name)}::text[], ${machines.map((one) => one.address)}::text[],
      ${machines.map((one) => one.group_id)}::uuid[], ${machines.map((one) => one.client_id)}::uuid[],
      ${machines.map((one) => one.sector)}::text[], ${machines.map((one) => one.warranty_until)}::date[])
      as e (merchant_id, id, name, address, group_id, client_id, sector, warranty_until)
    where machines.merchant_id = e.merchant_id and machines.id = e.id and ${db.narrow('machines')}`
  await written.execute(db.query).catch((error: unknown) => {
    // Another user has taken the name since it was checked.
    if (constraintOf(error) === 'machines_merchant_id_name_key') throw new ProductError('PosNameTaken')
    throw error
  })
}
