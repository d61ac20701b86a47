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
  NotFound: 404,
  MerchantNotFoundException: 404,
  MachineNotFound: 404,
  AlarmNotFound: 404,
  TransactionNotFound: 404,
  AuditNotFound: 404,
  NoteNotFound: 404,
  RemoteCommandNotFound: 404,
  GroupNotFound: 404,
  Conflict: 409,
  AlarmAlreadyRepaired: 409,
  RemoteCommandPending: 409,
  RemoteCommandNotCancellable: 409,
  DemoOnly: 404,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  AssociationRefused: 403,
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
