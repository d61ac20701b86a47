/**
 * Every error the product answers with: its HTTP status. The code is also the key of its sentence in `errors.json`. Names that
 * end in `Exception` are the specification's, the others are ours.
 */
export const errors = {
  BadRequest: 400,
  ValidationFailed: 400,
  PeriodReversed: 400,
  Unauthorized: 401,
  UnauthorizedUserException: 403,
  Forbidden: 403,
  FeatureNotEnabled: 403,
  NotFound: 404,
  MerchantNotFoundException: 404,
  MachineNotFound: 404,
  AlarmNotFound: 404,
  TransactionNotFound: 404,
  AuditNotFound: 404,
  NoteNotFound: 404,
  DeadLetterNotFound: 404,
  RemoteCommandNotFound: 404,
  GroupNotFound: 404,
  ViewNotFound: 404,
  ExportNotFound: 404,
  ExportExpired: 410,
  MerchantNotSelected: 400,
  Conflict: 409,
  DeadLetterReplayed: 409,
  ViewNameTaken: 409,
  TooManyViews: 409,
  AlarmAlreadyRepaired: 409,
  AlarmOpenAgain: 409,
  UndoTooLate: 409,
  SelectionChanged: 409,
  EditConflict: 409,
  PosNameTaken: 409,
  GroupRequired: 409,
  NoteIdTaken: 409,
  RemoteCommandPending: 409,
  RemoteCommandNotCancellable: 409,
  DemoOnly: 404,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  TooManyExports: 429,
  AssociationRefused: 403,
  CashDatabaseNotEnabledException: 403,
  FirmwareInUseException: 409,
  FirmwareNotEnabledException: 403,
  GroupAdminMerchantsValidationException: 400,
  LicenseDeactivatedException: 409,
  LicenseExpiredException: 409,
  LicenseDoesNotExistException: 404,
  LicenseNotAssignedYetException: 409,
  LicenseNotUnassigned: 409,
  SendVpConfigNotAllowed: 403,
  VpConfigNotValidException: 400,
  TokenNotFoundException: 404,
  TroubleshootingContentExceedsSizeLimits: 413,
  UserAlreadyExists: 409,
  ClientAlreadyExists: 409,
  ProductAlreadyExists: 409,
  VpConfigurationNameAlreadyExists: 409,
  NoMediasRefunded: 409,
  DatabaseVersionAlreadyRegistered: 409,
  ConfigurationNotFound: 404,
  RepositoryAuthenticationFailed: 502,
  PostalCodeNotFound: 404,
  ReportWithoutData: 404,
  ReportPdfFailed: 500,
  ProductInPlanograms: 409,
  GroupHasFirmwareRules: 409,
  Internal: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errors

/** A refusal the caller is meant to understand. Anything else that is thrown is a fault of ours and answers 500. */
export class ProductError extends Error {
  readonly code: ErrorCode
  /** Facts for the reader's sentence, such as the name of what blocks a deletion. */
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
