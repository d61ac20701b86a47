import type { EditedSettings, PricesSync } from '#contract/merchants/merchant-settings.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A merchant's settings without the PIN, which is stored sealed. */
export type StoredSettings = Required<Omit<EditedSettings, 'pin'>> & { version: number; pinSealed: string }

const query = (db: TenantDb, merchantId: string) =>
  db
    .from('merchant_settings')
    .innerJoin('merchants', 'merchants.id', 'merchant_settings.merchant_id')
    .where('merchant_settings.merchant_id', '=', merchantId)
    .selectAll('merchant_settings')
    .select('merchants.counts_blind')

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof query>['executeTakeFirst']>>>

const decimalOf = (stored: unknown): number | null => (stored === null ? null : Number(stored))

const settingsOf = (row: Row): StoredSettings => ({
  pinSealed: row.pin_sealed,
  maximumRefund: Number(row.maximum_refund),
  peripheralEventsMinutes: row.peripheral_events_minutes,
  scheduledAuditMinutes: row.scheduled_audit_minutes,
  minimumSignalPercent: row.minimum_signal_percent,
  auditExceededHours: row.audit_exceeded_hours,
  cloudCreditUnlockHours: row.cloud_credit_unlock_hours,
  pricesSync: row.prices_sync as PricesSync,
  priceBandPercent: row.price_band_percent,
  noDataMinutes: row.no_data_minutes,
  cashBoxFullPercent: row.cash_box_full_percent,
  collectionTolerance: Number(row.collection_tolerance),
  countsBlind: row.counts_blind,
  visitCost: row.visit_cost,
  largestRecharge: row.largest_recharge,
  largestBalance: row.largest_balance,
  largestDailyRecharge: row.largest_daily_recharge,
  largestDailyRechargeOfMachine: row.largest_daily_recharge_of_machine,
  clockDriftMinutes: row.clock_drift_minutes,
  lowStockSelections: row.low_stock_selections,
  temperatureMinimum: decimalOf(row.temperature_minimum),
  temperatureMaximum: decimalOf(row.temperature_maximum),
  version: row.version,
})

/** The settings of a merchant. */
export async function findSettings(db: TenantDb, merchantId: string): Promise<StoredSettings | undefined> {
  const row = await query(db, merchantId).executeTakeFirst()
  return row && settingsOf(row)
}

/** The same, locked until the transaction ends. */
export async function settingsToEdit(db: TenantDb, merchantId: string): Promise<StoredSettings | undefined> {
  const row = await query(db, merchantId).forNoKeyUpdate('merchant_settings').executeTakeFirst()
  return row && settingsOf(row)
}

/** Writes settings under the version that they carry. */
export async function writeSettings(db: TenantDb, merchantId: string, settings: StoredSettings): Promise<void> {
  await db.query
    .updateTable('merchants')
    .set({ counts_blind: settings.countsBlind })
    .where('id', '=', merchantId)
    .where('counts_blind', '<>', settings.countsBlind)
    .execute()
  await db.query
    .updateTable('merchant_settings')
    .set({
      pin_sealed: settings.pinSealed,
      maximum_refund: settings.maximumRefund,
      peripheral_events_minutes: settings.peripheralEventsMinutes,
      scheduled_audit_minutes: settings.scheduledAuditMinutes,
      minimum_signal_percent: settings.minimumSignalPercent,
      audit_exceeded_hours: settings.auditExceededHours,
      cloud_credit_unlock_hours: settings.cloudCreditUnlockHours,
      prices_sync: settings.pricesSync,
      price_band_percent: settings.priceBandPercent,
      no_data_minutes: settings.noDataMinutes,
      cash_box_full_percent: settings.cashBoxFullPercent,
      collection_tolerance: settings.collectionTolerance,
      visit_cost: settings.visitCost,
      largest_recharge: settings.largestRecharge,
      largest_balance: settings.largestBalance,
      largest_daily_recharge: settings.largestDailyRecharge,
      largest_daily_recharge_of_machine: settings.largestDailyRechargeOfMachine,
      clock_drift_minutes: settings.clockDriftMinutes,
      low_stock_selections: settings.lowStockSelections,
      temperature_minimum: settings.temperatureMinimum,
      temperature_maximum: settings.temperatureMaximum,
      version: settings.version,
    })
    .where(db.narrow('merchant_settings'))
    .where('merchant_id', '=', merchantId)
    .execute()
}
