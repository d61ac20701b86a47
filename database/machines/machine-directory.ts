import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { RechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { limitsOf } from '#domain/cashless/recharge-limit.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/** The facts that the gateway needs of a machine. */
export interface KnownMachine {
  serial: string
  id: string
  merchantId: string
  epoch: number
  secretHash: string
  /** Whether the machine has signed in with this secret. */
  isSecretUsed: boolean
  /** The start of its epoch. */
  associatedAt: Date
  timeZone: string
  currency: Currency
  /** Seconds that its clock was behind at the last measurement. */
  driftSeconds: number | null
  /** Whether its merchant has media with cloud credit, and for how many hours a machine may hold credit. */
  hasMedia: boolean
  unlockHours: number
  /** The merchant's limits of recharges, in minor units. */
  limits: RechargeLimits
}

/** Where the directory has machines, by serial; unknown serials are left out. */
const placesOf = (db: SystemDb, serials: readonly string[]) =>
  preparedRows(
    db,
    db
      .selectFrom('machine_directory')
      .where('serial', '=', sql<string>`any(${[...serials]}::text[])`)
      .select(['serial', 'machine_id', 'merchant_id', 'epoch']),
  )

/**
 * The condition that rows of a table are of some merchants. Each table of a join has it: a distributed database would otherwise ask every
 * node, also a dead node.
 */
const ofMerchants = (alias: string, merchantIds: readonly string[]) =>
  sql<boolean>`${sql.ref(`${alias}.merchant_id`)} = any(${merchantIds}::uuid[])`

/** Where a machine is: its entry of the directory. */
export interface MachinePlace {
  serial: string
  machine_id: string
  merchant_id: string
  epoch: number
}

/** Where machines are, by serial; unknown serials are left out. The directory is on one node, machines are on the nodes of their merchants. */
export const findMachinePlaces = (doors: Doors, serials: readonly string[]): Promise<MachinePlace[]> =>
  doors.withSystem('find machine', (db) => placesOf(db, serials), 'single statement')

/** The machines at some places; a machine that has been deleted meanwhile is left out. */
export const findMachinesAt = (doors: Doors, places: readonly MachinePlace[]): Promise<KnownMachine[]> =>
  doors.withSystem('find machine', (db) => machinesAt(db, places), 'single statement')

/** Machines by serial; unknown serials are left out. */
export const findMachinesBySerial = (doors: Doors, serials: readonly string[]): Promise<KnownMachine[]> =>
  doors.withSystem('find machine', async (db) => machinesAt(db, await placesOf(db, serials)), 'single statement')

async function machinesAt(db: SystemDb, places: readonly MachinePlace[]): Promise<KnownMachine[]> {
  if (places.length === 0) return []
  const merchantIds = [...new Set(places.map(({ merchant_id }) => merchant_id))]
  const machineIds = places.map(({ machine_id }) => machine_id)
  const rows = await preparedRows(
    db,
    db
      .selectFrom('machines')
      .innerJoin('machine_secrets as secrets', (join) =>
        join
          .onRef('secrets.merchant_id', '=', 'machines.merchant_id')
          .onRef('secrets.machine_id', '=', 'machines.id')
          .on(ofMerchants('secrets', merchantIds)),
      )
      .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
      .leftJoin('merchant_features as able', (join) =>
        join.onRef('able.merchant_id', '=', 'machines.merchant_id').on(ofMerchants('able', merchantIds)),
      )
      .leftJoin('merchant_settings as settings', (join) =>
        join.onRef('settings.merchant_id', '=', 'machines.merchant_id').on(ofMerchants('settings', merchantIds)),
      )
      .where(ofMerchants('machines', merchantIds))
      .where(sql<boolean>`machines.id = any(${machineIds}::uuid[])`)
      .select([
        'machines.id',
        'machines.merchant_id as merchantId',
        'secrets.secret_hash as secretHash',
        'secrets.is_used as isSecretUsed',
        'secrets.created_at as associatedAt',
        'merchants.time_zone as timeZone',
        'merchants.currency',
        'machines.clock_drift_seconds as driftSeconds',
        sql<boolean>`coalesce('customerMedia' = any(able.features), false)`.as('hasMedia'),
        sql<number>`coalesce(settings.cloud_credit_unlock_hours, 24)`.as('unlockHours'),
        'settings.largest_recharge as largestRecharge',
        'settings.largest_balance as largestBalance',
        'settings.largest_daily_recharge as largestDailyRecharge',
        'settings.largest_daily_recharge_of_machine as largestDailyRechargeOfMachine',
      ]),
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return places.flatMap(({ serial, machine_id, epoch }) => {
    const found = rowOf.get(machine_id)
    if (!found) return []
    const { largestRecharge, largestBalance, largestDailyRecharge, largestDailyRechargeOfMachine, ...row } = found
    const ownLimits = { largestRecharge, largestBalance, largestDailyRecharge, largestDailyRechargeOfMachine }
    const currency = row.currency as Currency
    return [{ ...row, serial, epoch, currency, limits: limitsOf(ownLimits, currency) }]
  })
}
