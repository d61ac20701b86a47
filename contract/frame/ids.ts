import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'

/*
 * Ids that calls take, by the noun's name in paths. A schema says which noun an id is of (`groupIds: oneOrMany(ids.groupId)`); the
 * server refuses ids that are out of the caller's reach before the handler runs, and the access tests aim at each of them.
 */

/** How an id is answered that does not exist, or is out of the caller's reach: both alike. A new noun is one line here. */
export const missingId = {
  merchantId: 'MerchantNotFoundException',
  posId: 'MachineNotFound',
  /** A machine whose history is read; a deleted one has it still. */
  pastPosId: 'MachineNotFound',
  groupId: 'GroupNotFound',
  clientId: 'ClientNotFound',
  sapcodeId: 'SapCodeNotFound',
  tokenId: 'ApiTokenNotFound',
  alarmId: 'AlarmNotFound',
  transactionId: 'TransactionNotFound',
  auditId: 'AuditNotFound',
  configId: 'ConfigurationNotFound',
  commandId: 'RemoteCommandNotFound',
  /** All commands of one order. */
  orderId: 'RemoteCommandNotFound',
  noteId: 'NoteNotFound',
  userId: 'UserNotFound',
  sessionId: 'SessionNotFound',
  viewId: 'ViewNotFound',
  exportId: 'ExportNotFound',
  changeId: 'NotFound',
  letterId: 'DeadLetterNotFound',
} as const satisfies Record<string, ErrorCode>

export type IdName = keyof typeof missingId
export const idNames = Object.keys(missingId) as IdName[]

/** Key of the noun in the schema's metadata; the API documentation shows it. */
const nounKey = 'x-id'

/** The type of id of each noun. */
export const ids = Object.fromEntries(idNames.map((name) => [name, z.uuid().meta({ [nounKey]: name })])) as {
  readonly [Name in IdName]: z.ZodUUID
}

/** Which noun a schema's id is of. */
export const nounOfId = (schema: z.ZodType): IdName | undefined => schema.meta()?.[nounKey] as IdName | undefined
