import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { RechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { limitsOf } from '#domain/cashless/recharge-limit.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { Doors } from '../frame/tenant.ts'

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

/** Machines by serial; unknown serials are left out. */
export async function findMachinesBySerial(doors: Doors, serials: readonly string[]): Promise<KnownMachine[]> {
  const rows = await doors.withSystem(
    'find machine',
    (db) =>
      preparedRows(
        db,
        db
          .selectFrom('machine_directory as directory')
          .innerJoin('machines', (join) =>
            join
              .onRef('machines.merchant_id', '=', 'directory.merchant_id')
              .onRef('machines.id', '=', 'directory.machine_id'),
          )
          .innerJoin('machine_secrets as secrets', (join) =>
            join
              .onRef('secrets.merchant_id', '=', 'directory.merchant_id')
              .onRef('secrets.machine_id', '=', 'directory.machine_id'),
          )
          .innerJoin('merchants', 'merchants.id', 'directory.merchant_id')
          .leftJoin('merchant_features as able', 'able.merchant_id', 'directory.merchant_id')
          .leftJoin('merchant_settings as settings', 'settings.merchant_id', 'directory.merchant_id')
          .where('directory.serial', '=', sql<string>`any(${[...serials]}::text[])`)
          .select([
            'directory.serial',
            'directory.machine_id as id',
            'directory.merchant_id as merchantId',
            'directory.epoch',
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
      ),
    'single statement',
  )
  return rows.map(
    ({ largestRecharge, largestBalance, largestDailyRecharge, largestDailyRechargeOfMachine, ...row }) => {
      const ownLimits = { largestRecharge, largestBalance, largestDailyRecharge, largestDailyRechargeOfMachine }
      const currency = row.currency as Currency
      return { ...row, currency, limits: limitsOf(ownLimits, currency) }
    },
  )
}
