import { z } from 'zod'

/** Command types 1 to 19. The specification lists the commands and not their numbers; this mapping is Gettone's. */
export const remoteCommandTypes = {
  1: 'readAudit',
  2: 'readAlarms',
  3: 'readCounters',
  4: 'restart',
  5: 'sendCredit',
  6: 'sendConfig',
  7: 'refundCash',
  8: 'readBootInfo',
  9: 'readConfig',
  10: 'sendPrices',
  11: 'updateFirmware',
  12: 'resetDefaults',
  13: 'updateDatabase',
  14: 'updatePeripheralFirmware',
  15: 'updatePeripheralDatabase',
  16: 'updateAccounting',
  17: 'readPrices',
  18: 'readStock',
  19: 'sendVpConfig',
} as const satisfies Record<number, string>
export type RemoteCommandTypeName = (typeof remoteCommandTypes)[keyof typeof remoteCommandTypes]

/** What an operator can send by hand from the wizard. */
export const sendableCommandTypes = [1, 3, 4, 5] as const
export const SendableCommandType = z.literal(sendableCommandTypes)
export type SendableCommandType = z.infer<typeof SendableCommandType>

/** 0 scheduled, 1 running, 2 received, 3 not executed, 4 received with warnings, 5 received with errors. */
export const remoteCommandStatuses = {
  scheduled: 0,
  running: 1,
  received: 2,
  notExecuted: 3,
  receivedWithWarnings: 4,
  receivedWithErrors: 5,
} as const
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
export const RemoteCommandResult = z.literal([0, 1, 2, 3, -1, -2, -3])
export type RemoteCommandResult = z.infer<typeof RemoteCommandResult>
