import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ofFeature } from '../frame/of-feature.ts'
import { comparing, numberBetween, wholeBetween } from '../rules/number.ts'
import { Pin } from '../rules/text.ts'

export const pricesSyncs = ['immediate', 'afterAudit'] as const
export const PricesSync = z.enum(pricesSyncs)
export type PricesSync = z.infer<typeof PricesSync>

/** Bounds of each number, both included. Amounts are in minor units of the merchant's currency. */
export const settingBounds = {
  maximumRefund: [0, 1_000_000_000],
  peripheralEventsMinutes: [1, 1440],
  scheduledAuditMinutes: [0, 43_200],
  minimumSignalPercent: [0, 100],
  auditExceededHours: [1, 8760],
  cloudCreditUnlockHours: [1, 8760],
  noDataMinutes: [5, 43_200],
  cashBoxFullPercent: [1, 100],
  collectionTolerance: [0, 1_000_000_000],
  visitCost: [0, 1_000_000_000],
  largestRecharge: [1, 10_000_000_000],
  largestBalance: [1, 10_000_000_000],
  largestDailyRecharge: [1, 10_000_000_000],
  largestDailyRechargeOfMachine: [1, 10_000_000_000],
  clockDriftMinutes: [2, 1440],
  priceBandPercent: [1, 1000],
  lowStockSelections: [1, 200],
  temperature: [-99.9, 99.9],
} as const

const whole = (name: Exclude<keyof typeof settingBounds, 'temperature'>) => {
  const [least, most] = settingBounds[name]
  return wholeBetween(least, most)
}
/** Degrees Celsius; one decimal is kept. */
const Temperature = numberBetween(...settingBounds.temperature).nullable()

const fields = {
  /** The PIN with which machines join the merchant; without the field it stays. regeneratePin creates a better one. */
  pin: Pin.optional(),
  maximumRefund: whole('maximumRefund'),
  peripheralEventsMinutes: whole('peripheralEventsMinutes'),
  /** 0: no scheduled audits. */
  scheduledAuditMinutes: whole('scheduledAuditMinutes'),
  minimumSignalPercent: ofFeature('network', whole('minimumSignalPercent')),
  auditExceededHours: whole('auditExceededHours'),
  cloudCreditUnlockHours: ofFeature('customerMedia', whole('cloudCreditUnlockHours')),
  /** Limits of recharges. Null: the default of the merchant's currency. */
  largestRecharge: ofFeature('customerMedia', whole('largestRecharge').nullable()),
  largestBalance: ofFeature('customerMedia', whole('largestBalance').nullable()),
  /** Within 24 hours, for each medium and for each machine. */
  largestDailyRecharge: ofFeature('customerMedia', whole('largestDailyRecharge').nullable()),
  largestDailyRechargeOfMachine: ofFeature('customerMedia', whole('largestDailyRechargeOfMachine').nullable()),
  pricesSync: ofFeature('vending', PricesSync),
  /** A price change beyond it, up or down, needs a confirmation of its own. */
  priceBandPercent: ofFeature('vending', whole('priceBandPercent')),
  /** Null: the deployment's own. */
  noDataMinutes: whole('noDataMinutes').nullable(),
  cashBoxFullPercent: whole('cashBoxFullPercent'),
  /** The largest difference of a count that needs no dispute, in minor units. */
  collectionTolerance: whole('collectionTolerance'),
  /** What is expected of a collection is hidden until its count is saved. Without the field it stays. */
  countsBlind: z.boolean().optional(),
  /** What a visit at a machine costs, by which reports compute profits. Null or 0: unknown. Without the field it stays. */
  visitCost: ofFeature('productStock', whole('visitCost').nullable()),
  clockDriftMinutes: whole('clockDriftMinutes'),
  lowStockSelections: ofFeature('productStock', whole('lowStockSelections')),
  /** Null: no notice. */
  temperatureMinimum: Temperature,
  temperatureMaximum: Temperature,
}

/** The fields of the form, with checks across fields. */
export const EditedSettings = z
  .strictObject(fields)
  .check(comparing('temperatureMinimum', 'smallerThan', 'temperatureMaximum'))
export type EditedSettings = z.infer<typeof EditedSettings>

/** A merchant's settings for all its machines. The PIN is null when there is none yet. */
export const MerchantSettings = z.strictObject({
  ...fields,
  pin: z.string().nullable(),
  countsBlind: z.boolean(),
  version: Version,
})
export type MerchantSettings = z.infer<typeof MerchantSettings>

const UpdateSettings = z
  .strictObject({ ...fields, version: Version })
  .check(comparing('temperatureMinimum', 'smallerThan', 'temperatureMaximum'))

const fails = ['MerchantNotFoundException', 'EditConflict', 'PinNotAvailable'] as const

export const merchantSettings = {
  getMerchantSettings: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/settings',
    summary: 'Get the settings of a merchant, including the association PIN',
    needs: 'settings.read',
    topics: ['merchant'],
    hasSecret: true,
    ok: MerchantSettings,
    fails: ['MerchantNotFoundException'],
  }),
  updateMerchantSettings: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/settings',
    summary: 'Update the settings of a merchant; a PIN that is too simple or taken is refused, five attempts per hour',
    needs: 'settings.write',
    limit: 'typedPin',
    body: UpdateSettings,
    hasSecret: true,
    ok: MerchantSettings,
    fails,
  }),
  regeneratePin: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/settings/pin',
    summary: 'Generate a new random PIN; the previous one ends immediately',
    needs: 'settings.write',
    body: z.strictObject({ version: Version }),
    hasSecret: true,
    ok: MerchantSettings,
    fails,
  }),
}
