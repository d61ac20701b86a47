import { capital, nounsOfRecords, type RecordError } from './frame/record-nouns.ts'

/** Each record's own codes: a missing one is 404, the others are conflicts. */
const errorsOfRecords = Object.fromEntries(
  Object.entries(nounsOfRecords).flatMap(([noun, codes]) =>
    codes.map((code) => [`${capital(noun)}${code}`, code === 'NotFound' ? 404 : 409]),
  ),
) as Readonly<Record<RecordError, number>>

/**
 * Every error the product answers with: its HTTP status. The code is also the key of its sentence in `errors.json`. Names that
 * end in `Exception` are the specification's, the others are ours.
 */
export const errors = {
  ...errorsOfRecords,
  BadRequest: 400,
  ValidationFailed: 400,
  PeriodReversed: 400,
  FeatureFilterOfAll: 400,
  PeriodTooLong: 400,
  Unauthorized: 401,
  UnauthorizedUserException: 403,
  Forbidden: 403,
  FeatureNotEnabled: 403,
  ProductFamilyNotEnabled: 403,
  DemoExpired: 403,
  WebPortalNotIncluded: 403,
  NotFound: 404,
  MerchantNotFoundException: 404,
  MachineNotFound: 404,
  AlarmNotFound: 404,
  TransactionNotFound: 404,
  AuditNotFound: 404,
  NoteNotFound: 404,
  StopNotFound: 404,
  VisitNotFound: 404,
  CollectionNotFound: 404,
  MediaNotFound: 404,
  RefundNotFound: 404,
  DeadLetterNotFound: 404,
  RemoteCommandNotFound: 404,
  ProductCodeNotFound: 404,
  ViewNotFound: 404,
  SessionNotFound: 404,
  ExportNotFound: 404,
  ExportExpired: 410,
  MerchantNotSelected: 400,
  MerchantNameTaken: 409,
  CurrencyInUse: 409,
  TimeZoneInUse: 409,
  MachineLimitReached: 409,
  PeopleLimitReached: 409,
  Conflict: 409,
  DeadLetterReplayed: 409,
  ViewNameTaken: 409,
  TooManyViews: 409,
  CollectionClosed: 409,
  CollectionNotCounted: 409,
  CollectionNotClosed: 409,
  DifferenceTooLarge: 409,
  AlarmAlreadyRepaired: 409,
  AlarmOpenAgain: 409,
  UndoTooLate: 409,
  SelectionChanged: 409,
  EditConflict: 409,
  PosNameTaken: 409,
  GroupRequired: 409,
  NoteIdTaken: 409,
  StopAlreadyVisited: 409,
  VisitIdTaken: 409,
  RemoteCommandPending: 409,
  NothingToSend: 409,
  StockNotManaged: 409,
  RemoteCommandNotCancellable: 409,
  CommandWindowPassed: 409,
  CommandRefundTooLarge: 409,
  CommandCurrenciesDiffer: 400,
  DemoOnly: 404,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  TooManyExports: 429,
  AssociationRefused: 403,
  ReassociationNotAllowed: 403,
  MachineAlreadyAssociated: 409,
  MachineExpectedElsewhere: 409,
  TooManyExpectedMachines: 409,
  PinNotAvailable: 409,
  StaleEpoch: 409,
  TooManyGaps: 409,
  ApiTokenNotFound: 404,
  ApiTokenNameTaken: 409,
  TooManyApiTokens: 409,
  InvitationNotSent: 503,
  InvitationNotFound: 404,
  InvitationUsed: 410,
  InvitationExpired: 410,
  IdentityTaken: 409,
  CashDatabaseNotEnabledException: 403,
  FirmwareInUseException: 409,
  FirmwareNotEnabledException: 403,
  GroupAdminMerchantsValidationException: 400,
  MerchantAdminWithGroups: 400,
  LicenseDeactivatedException: 409,
  LicenseExpiredException: 409,
  LicenseDoesNotExistException: 404,
  LicenseNotAssignedYetException: 409,
  LicenseNotUnassigned: 409,
  SendVpConfigNotAllowed: 403,
  VpConfigNotValidException: 400,
  VpSchemaGone: 410,
  VpConfigOfOtherType: 409,
  TokenNotFoundException: 404,
  TroubleshootingContentExceedsSizeLimits: 413,
  UserAlreadyExists: 409,
  UserNotFound: 404,
  UserNotInvited: 409,
  UserEmailFixed: 409,
  UserBelongsElsewhere: 409,
  OwnRights: 409,
  LastMerchantAdmin: 409,
  LastSuperAdmin: 409,
  NoMediasRefunded: 409,
  DatabaseVersionAlreadyRegistered: 409,
  ConfigurationNotFound: 404,
  RepositoryAuthenticationFailed: 502,
  PostalCodeNotFound: 404,
  ReportWithoutData: 404,
  ReportPdfFailed: 500,
  ImportUnreadable: 400,
  ImportTooLong: 413,
  ImportChanged: 409,
  TooManyPrices: 409,
  PricesChanged: 409,
  PriceCurrenciesDiffer: 400,
  GroupHasFirmwareRules: 409,
  Internal: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errors

/** A refusal the caller is meant to understand. Anything else that is thrown is a fault of ours and answers 500. */
export class ProductError extends Error {
  readonly code: ErrorCode
  /** Facts for the reader's sentence, such as the objects that prevent a deletion. */
  readonly facts: Record<string, unknown> | undefined
  constructor(code: ErrorCode, facts?: Record<string, unknown>) {
    super(code)
    this.name = 'ProductError'
    this.code = code
    this.facts = facts
  }
  get status(): number {
    return errors[this.code]
  }
}
