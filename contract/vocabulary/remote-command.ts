import { z } from 'zod'
import type { Feature, ProductFamily } from './feature.ts'
import type { Numbers } from './numbers.ts'

/** Command types 1 to 19. The specification lists the commands and not their numbers; this mapping is Gettone's. */
export const remoteCommandTypes = {
  readAudit: 1,
  readAlarms: 2,
  readCounters: 3,
  restart: 4,
  sendCredit: 5,
  sendConfig: 6,
  refundCash: 7,
  readBootInfo: 8,
  readConfig: 9,
  sendPrices: 10,
  updateFirmware: 11,
  resetDefaults: 12,
  updateDatabase: 13,
  updatePeripheralFirmware: 14,
  updatePeripheralDatabase: 15,
  updateAccounting: 16,
  readPrices: 17,
  readStock: 18,
  sendVpConfig: 19,
} as const satisfies Numbers
export type RemoteCommandTypeName = keyof typeof remoteCommandTypes

/** A payment that a customer started in the app for the machine. The server sends it; users cannot. */
export const appPaymentCommand = 20
/** Commands that only the server sends. */
export const ownCommandTypes = { takeAppPayment: appPaymentCommand } as const
/** All commands. */
export const commandTypes = { ...remoteCommandTypes, ...ownCommandTypes } as const

/** The same by number; an unknown number is shown unchanged. */
export const remoteCommandTypeNumbers = Object.values(remoteCommandTypes)
export const RemoteCommandType = z.literal(remoteCommandTypeNumbers)
export type RemoteCommandType = z.infer<typeof RemoteCommandType>

/** Parts of a machine that have firmware and databases of their own. */
export const peripherals = [
  'coinChanger',
  'billValidator',
  'recycler',
  'cashless1',
  'cashless2',
  'telemetry',
  'display',
] as const
export const Peripheral = z.enum(peripherals)
export type Peripheral = z.infer<typeof Peripheral>

/** 0 scheduled, 1 running, 2 received, 3 not executed, 4 received with warnings, 5 received with errors. */
export const remoteCommandStatuses = {
  scheduled: 0,
  running: 1,
  received: 2,
  notExecuted: 3,
  receivedWithWarnings: 4,
  receivedWithErrors: 5,
} as const
/** A command with one of these statuses and one of these results has failed; it was not cancelled. */
export const failedStatuses = [remoteCommandStatuses.notExecuted, remoteCommandStatuses.receivedWithErrors] as const
export const RemoteCommandStatus = z.literal([0, 1, 2, 3, 4, 5])
export type RemoteCommandStatus = z.infer<typeof RemoteCommandStatus>

/** 0 success, 1 unsupported, 2 unknown error, 3 unknown warning, -1 retries exceeded, -2 expired, -3 cancelled by user. */
export const remoteCommandResults = {
  success: 0,
  unsupported: 1,
  unknownError: 2,
  unknownWarning: 3,
  retriesExceeded: -1,
  expired: -2,
  cancelledByUser: -3,
} as const
export const failedResults = [
  remoteCommandResults.unsupported,
  remoteCommandResults.unknownError,
  remoteCommandResults.retriesExceeded,
  remoteCommandResults.expired,
] as const
export const RemoteCommandResult = z.literal([0, 1, 2, 3, -1, -2, -3])
export type RemoteCommandResult = z.infer<typeof RemoteCommandResult>

/** The feature that a command requires of the merchant; other commands require none. */
export const commandFeatures: { readonly [type in RemoteCommandType]?: Feature } = {
  6: 'remoteConfigurations',
  9: 'remoteConfigurations',
  10: 'vending',
  11: 'firmwareUpdate',
  12: 'remoteConfigurations',
  13: 'cashDatabaseUpdate',
  14: 'firmwareUpdate',
  15: 'cashDatabaseUpdate',
  17: 'vending',
  18: 'productStock',
  19: 'remoteConfigurations',
}

/** The same of product families: cash is paid back by a recycler. */
export const commandFamilies: { readonly [type in RemoteCommandType]?: ProductFamily } = {
  7: 'cashlogy',
}
