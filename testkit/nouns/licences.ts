import { randomUUIDv7 } from 'node:crypto'
import { hashOfKey, newLicenceKey, newLicenceName } from '#server/licences/licence-secrets.ts'
import type { TestDatabase } from '../database.ts'
import type { TestMachine } from '../fixtures.ts'

type Owned = Pick<TestDatabase, 'admin'>

/** The fields of a sample licence, as people fill them in. */
export const licenceFields = {
  organization: 'Bar Sport srl',
  establishmentName: 'Bar Sport',
  contactName: 'Carla Conti',
  clientEmail: 'bar@client.test',
  language: 'it',
  type: 'cashlogy',
  features: ['Connector_Basic', 'CIT_Basic'],
  operationMode: 'till',
  maintenanceType: 'preventive',
} as const

/**
 * A licence of a machine as a row, pending by default; it has a key from `confirmed` on. The machine's earlier licences end, since it has one
 * at a time.
 */
export async function aLicence(
  database: Owned,
  machine: Pick<TestMachine, 'id' | 'merchantId'>,
  with_: Record<string, unknown> = {},
): Promise<{ id: string; key: string; name: string }> {
  const id = randomUUIDv7()
  const key = newLicenceKey()
  const status = Number(with_.status ?? 0)
  const now = new Date()
  const isConfirmed = status >= 2
  await database.admin(
    `update licences set status = 5, unassign_case = 'licenceEnd' where merchant_id = $1 and machine_id = $2 and status < 5`,
    [machine.merchantId, machine.id],
  )
  const columns = {
    merchant_id: machine.merchantId,
    id,
    name: newLicenceName(),
    machine_id: machine.id,
    created_at: now,
    type: 'cashlogy',
    features: ['Connector_Basic'],
    operation_mode: 'till',
    maintenance_type: 'none',
    organization: 'Bar Sport srl',
    establishment_name: 'Bar Sport',
    client_email: 'bar@client.test',
    language: 'en',
    ...(status >= 1 && { sent_at: now }),
    ...(isConfirmed && { confirmed_at: now, key_hash: hashOfKey(key), key_hint: key.slice(-5) }),
    ...(status === 3 && { activated_at: now, first_activated_at: now, board_serial: 'BOARD-1' }),
    ...(status === 5 && { unassign_case: 'defectivePos' }),
    ...with_,
  }
  const names = Object.keys(columns)
  await database.admin(
    `insert into licences (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(columns),
  )
  if (isConfirmed)
    await database.admin(
      'insert into licence_directory (hash, merchant_id, licence_id, created_at) values ($1, $2, $3, $4)',
      [hashOfKey(key), machine.merchantId, id, now],
    )
  return { id, key, name: String(columns.name) }
}
