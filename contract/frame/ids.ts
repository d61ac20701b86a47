import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { capital, type RecordNoun, recordNouns } from '../vocabulary/record-nouns.ts'

/*
 * Ids that calls take, by the noun's name in paths. A schema says which noun an id is of (`groupIds: oneOrMany(ids.groupId)`); the
 * server refuses ids that are out of the caller's reach before the handler runs, and the access tests aim at each of them.
 */

/** The name of a record's id. */
export type RecordIdName<N extends RecordNoun> = `${N}Id`
export const idNameOf = <N extends RecordNoun>(noun: N): RecordIdName<N> => `${noun}Id`

const idsOfRecords = Object.fromEntries(recordNouns.map((noun) => [idNameOf(noun), `${capital(noun)}NotFound`])) as {
  readonly [N in RecordNoun as RecordIdName<N>]: `${Capitalize<N>}NotFound`
}

/** How an id is answered that does not exist, or is out of the caller's reach: both alike. Records have theirs from their noun. */
export const missingId = {
  ...idsOfRecords,
  merchantId: 'MerchantNotFoundException',
  posId: 'MachineNotFound',
  /** A machine whose history is read; a deleted one has it still. */
  pastPosId: 'MachineNotFound',
  productCodeId: 'ProductCodeNotFound',
  pricePlanId: 'PricePlanNotFound',
  tokenId: 'ApiTokenNotFound',
  kioskId: 'KioskNotFound',
  webhookMessageId: 'WebhookMessageNotFound',
  alarmId: 'AlarmNotFound',
  transactionId: 'TransactionNotFound',
  auditId: 'AuditNotFound',
  configId: 'ConfigurationNotFound',
  commandId: 'RemoteCommandNotFound',
  /** The provider's, for all merchants. */
  firmwareId: 'FirmwareNotFound',
  /** All commands of one order. */
  orderId: 'RemoteCommandNotFound',
  collectionId: 'CollectionNotFound',
  mediaId: 'MediaNotFound',
  refundId: 'RefundNotFound',
  claimId: 'ClaimNotFound',
  webPaymentServiceId: 'WebPaymentServiceNotFound',
  webPaymentOrderId: 'WebPaymentOrderNotFound',
  findingId: 'FindingNotFound',
  noteId: 'NoteNotFound',
  stopId: 'StopNotFound',
  visitId: 'VisitNotFound',
  userId: 'UserNotFound',
  sessionId: 'SessionNotFound',
  viewId: 'ViewNotFound',
  reportId: 'ReportNotFound',
  exportId: 'ExportNotFound',
  dataRetrievalRequestId: 'DataRetrievalRequestNotFound',
  importId: 'ImportNotFound',
  changeId: 'NotFound',
  /** A picture or video of screens. */
  screenFileId: 'ScreenFileNotFound',
  whitelistEntryId: 'WhitelistEntryNotFound',
  letterId: 'DeadLetterNotFound',
  /** A logo or the ingredients of a customers' portal. */
  portalFileId: 'PortalFileNotFound',
  blogPostId: 'BlogPostNotFound',
  /** The picture or video of a blog post. */
  blogFileId: 'BlogFileNotFound',
} as const satisfies Record<string, ErrorCode>

export type IdName = keyof typeof missingId
export const idNames = Object.keys(missingId) as IdName[]

/** Key of the noun in the schema's metadata; the API documentation shows it. */
const nounKey = 'x-id'

/** The type of id of each noun. */
export const ids = Object.fromEntries(idNames.map((name) => [name, z.uuid().meta({ [nounKey]: name })])) as {
  readonly [Name in IdName]: z.ZodUUID
}

/** The noun of a schema's id. */
export const nounOfId = (schema: z.ZodType): IdName | undefined => schema.meta()?.[nounKey] as IdName | undefined
