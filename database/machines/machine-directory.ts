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

/** The condition that a table's machine is among some merchants' machines. */
const amongMachines = (machine: string, merchantIds: readonly string[], machineIds: readonly string[]) => {
  const [alias] = machine.split('.')
  return sql<boolean>`${sql.ref(`${alias}.merchant_id`)} = any(${merchantIds}::uuid[])
    and ${sql.ref(machine)} = any(${machineIds}::uuid[])`
}

/** Machines by serial; unknown serials are left out. The directory is on one node, machines are on the nodes of their merchants. */
export async function findMachinesBySerial(doors: Doors, serials: readonly string[]): Promise<KnownMachine[]> {
  const { places, rows } = await doors.withSystem(
    'find machine',
    async (db) => {
      const places = await placesOf(db, serials)
      if (places.length === 0) return { places, rows: [] }
      const merchantIds = [...new Set(places.map(({ merchant_id }) => merchant_id))]
      const machineIds = places.map(({ machine_id }) => machine_id)
      const rows = await preparedRows(
        db,
        db
          .selectFrom('machines')
          .innerJoin('machine_secrets as secrets', (join) =>
            join
              .onRef('secrets.merchant_id', '=', 'machines.merchant_id')
              .onRef('secrets.machine_id', '=', 'machines.id'),
          )
          .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
          .leftJoin('merchant_features as able', 'able.merchant_id', 'machines.merchant_id')
          .leftJoin('merchant_settings as settings', 'settings.merchant_id', 'machines.merchant_id')
          .where(amongMachines('machines.id', merchantIds, machineIds))
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
      return { places, rows }
    },
    'single statement',
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
