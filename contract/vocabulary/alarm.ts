import { z } from 'zod'
import type { Feature } from './feature.ts'

/** `active` needs a user's attention; `notification` is information; both are open. The two `repaired` states are closed. */
export const alarmStatuses = ['active', 'notification', 'repaired', 'repairedManually'] as const
export const AlarmStatus = z.enum(alarmStatuses)
export type AlarmStatus = z.infer<typeof AlarmStatus>

export const alarmCategories = ['jam', 'usability', 'maintenance', 'fault'] as const
export const AlarmCategory = z.enum(alarmCategories)
export type AlarmCategory = z.infer<typeof AlarmCategory>

/** Severity: 0 notification, 2 warning, 4 blocking. */
export const alarmCriticities = { notification: 0, warning: 2, blocking: 4 } as const
export const AlarmCriticity = z.literal([0, 2, 4])
export type AlarmCriticity = z.infer<typeof AlarmCriticity>

/** The part of the machine that reports it, or the portal. The parts follow the unit letters of EVA-DTS event codes. */
export const alarmSources = [
  'coin',
  'cup',
  'control',
  'hotDrinks',
  'brewer',
  'water',
  'door',
  'coldDrinks',
  'communication',
  'snack',
  'cashless',
  'product',
  'microwave',
  'bill',
  'refrigeration',
  'portal',
  'other',
] as const
export const AlarmSource = z.enum(alarmSources)
export type AlarmSource = z.infer<typeof AlarmSource>

/** The portal's own alarms, by code. No machine's code contains a colon. */
export const portalAlarmCodes = {
  noData: 'P:NODATA',
  signalLow: 'P:SIGNAL',
  auditOverdue: 'P:AUDIT',
  temperatureHigh: 'P:HOT',
  temperatureLow: 'P:COLD',
  cashBoxFull: 'P:CASHBOX',
  clockWrong: 'P:CLOCK',
  stockLow: 'P:STOCK',
} as const
export type PortalAlarm = keyof typeof portalAlarmCodes
export const portalAlarms = Object.keys(portalAlarmCodes) as PortalAlarm[]

/** Alarms of features, by code: without the feature none is raised, open ones end, and past ones are hidden. */
export const alarmFeatures: { readonly [code: string]: Feature } = {
  [portalAlarmCodes.signalLow]: 'network',
  [portalAlarmCodes.stockLow]: 'productStock',
}
/** Whether a merchant with these features has alarms of a code. */
export const isAlarmOf = (code: string, features: readonly string[]): boolean => {
  const feature = alarmFeatures[code]
  return feature === undefined || features.includes(feature)
}
