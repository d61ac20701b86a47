import { randomInt, randomUUIDv7 } from 'node:crypto'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { hashOfSecret } from '#server/secrets/hash.ts'
import { createVault } from '#server/secrets/vault.ts'
import type { TestDatabase } from './database.ts'

/** The deployment's secret in tests, and the association PIN of test merchants without one of their own. */
export const testSecretKey = 'k'.repeat(43)
export const testPin = '12345678'

/** What fixtures need of a database: the owner's SQL. */
type Owned = Pick<TestDatabase, 'admin'>

export interface TestMerchant {
  id: string
  name: string
}
export interface TestMachine {
  id: string
  merchantId: string
  serial: string
  name: string
  groupId: string | null
  epoch: number
  /** The password of its connections. */
  secret: string
}

/** A new merchant: Rome, euro, no machines, every feature and screen configurations on. Its PIN is sealed with the tests' key. */
export async function aMerchant(database: Owned, with_: Partial<Record<string, unknown>> = {}): Promise<TestMerchant> {
  const id = randomUUIDv7()
  const row = {
    name: `Merchant ${id.slice(-10)}`,
    country: 'IT',
    language: 'it',
    time_zone: 'Europe/Rome',
    currency: 'EUR',
    ...with_,
  }
  await database.admin(
    `insert into merchants (id, name, country, language, time_zone, currency, created_at) values ($1, $2, $3, $4, $5, $6, now())`,
    [id, row.name, row.country, row.language, row.time_zone, row.currency],
  )
  await database.admin(`insert into merchant_settings (merchant_id, pin_sealed) values ($1, $2)`, [
    id,
    createVault(testSecretKey).seal(testPin),
  ])
  await database.admin(`insert into merchant_features (merchant_id, features, product_families) values ($1, $2, $3)`, [
    id,
    with_.features ?? features,
    with_.productFamilies ?? productFamilies,
  ])
  await database.admin(`insert into merchant_details (merchant_id, screen_configuration) values ($1, $2)`, [
    id,
    with_.screenConfigurationManagement ?? with_.features === undefined,
  ])
  return { id, name: row.name as string }
}

export async function aGroup(
  database: TestDatabase,
  merchantId: string,
  name = `Group ${randomInt(1e9)}`,
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(`insert into groups (merchant_id, id, name, created_at) values ($1, $2, $3, now())`, [
    merchantId,
    id,
    name,
  ])
  return id
}

/** A client of the merchant, by default without machines. */
export async function aClient(
  database: Owned,
  merchantId: string,
  with_: Record<string, unknown> = {},
): Promise<string> {
  const id = randomUUIDv7()
  const row = { code: `C${randomInt(1e12)}`, name: `Client ${randomInt(1e12)}`, country: 'IT', ...with_ }
  const columns = { merchant_id: merchantId, id, created_at: new Date(), ...row }
  const names = Object.keys(columns)
  await database.admin(
    `insert into clients (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  )
  return id
}

/** A SAP code of a merchant's keys. */
export async function aSapCode(database: Owned, merchantId: string, code = `S${randomInt(1e9)}`): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(`insert into key_sap_codes (merchant_id, id, code, created_at) values ($1, $2, $3, now())`, [
    merchantId,
    id,
    code,
  ])
  return id
}

/** An associated machine with its directory row, journal and secret. */
export async function aMachine(
  database: Owned,
  merchantId: string,
  with_: {
    groupId?: string
    serial?: string
    name?: string
    deviceType?: string
    columns?: Record<string, unknown>
  } = {},
): Promise<TestMachine> {
  const id = randomUUIDv7()
  const serial = with_.serial ?? `T${randomInt(1e9)}`
  const machine = {
    id,
    merchantId,
    serial,
    name: with_.name ?? `Machine ${serial}`,
    groupId: with_.groupId ?? null,
    epoch: 1,
    secret: `secret-of-${serial}`,
  }
  const columns = {
    merchant_id: merchantId,
    id,
    serial,
    name: machine.name,
    device_type: with_.deviceType ?? 'AZVT',
    group_id: machine.groupId,
    created_at: new Date(),
    ...with_.columns,
  }
  const names = Object.keys(columns)
  await database.admin(
    `insert into machines (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  )
  await database.admin(
    `insert into machine_journals (merchant_id, machine_id, epoch, summed_group_id, manages_stock, counts_stock)
     select merchant_id, id, 1, group_id, manage_stock, stock_counted_by = 'machine' from machines where merchant_id = $1 and id = $2`,
    [merchantId, id],
  )
  await database.admin(
    `insert into machine_secrets (merchant_id, machine_id, secret_hash, created_at) values ($1, $2, $3, now())`,
    [merchantId, id, hashOfSecret(machine.secret)],
  )
  await database.admin(
    `insert into machine_directory (serial, merchant_id, machine_id, epoch) values ($1, $2, $3, 1)`,
    [serial, merchantId, id],
  )
  return machine
}

/** A user who may see the given merchants, entirely or by groups. */
export async function aUser(
  database: Owned,
  role: Role,
  merchants: { merchantId: string; groups: 'all' | string[] }[],
  { allowLicensing = false }: { allowLicensing?: boolean } = {},
): Promise<{ id: string; issuer: string; subject: string; role: Role; email: string; name: string }> {
  const id = randomUUIDv7()
  const user = {
    id,
    issuer: 'https://issuer.test',
    subject: id,
    role,
    email: `${id}@gettone.test`,
    name: `Test ${role}`,
  }
  await database.admin(
    `insert into users (id, issuer, subject, email, name, role, allow_licensing, status, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'active', now())`,
    [id, user.issuer, user.subject, user.email, user.name, role, allowLicensing],
  )
  for (const { merchantId, groups } of merchants) {
    await database.admin(`insert into user_merchants (user_id, merchant_id, all_groups) values ($1, $2, $3)`, [
      id,
      merchantId,
      groups === 'all',
    ])
    for (const group of groups === 'all' ? [] : groups) {
      await database.admin(`insert into user_groups (user_id, merchant_id, group_id) values ($1, $2, $3)`, [
        id,
        merchantId,
        group,
      ])
    }
  }
  return user
}
