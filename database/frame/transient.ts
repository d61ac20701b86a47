/**
 * Where the database speaks of the row itself, so that the same row is refused again at any time: data exceptions (22), broken
 * constraints (23), a view's check (44), a row too large for its page or index (54000). PostgreSQL, appendix A. Class 42 is not
 * among them: it speaks of our statements, our schema and our grants.
 */
const rowClasses = ['22', '23', '44']
const rowCodes = ['54000']

/**
 * SQLSTATEs that say "not now": connection lost, sign-in refused (a password is being changed), taken back to be tried again,
 * resources short, shut down, broken by the system, locked, read-only, not there.
 */
const awayClasses = ['08', '28', '40', '53', '57', '58']
const awayCodes = ['55P03', '25006', '3D000']

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const isSqlState = (code: string) => /^[0-9A-Z]{5}$/.test(code)

/**
 * Whether the same work may succeed later: always, unless the database said that the row itself is wrong. A fault that nobody knows
 * is taken for ours or the system's. It must neither be acknowledged nor set aside as a fault of the data.
 */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || !isSqlState(code) || isSystemError(error)) return true
  return !rowClasses.includes(code.slice(0, 2)) && !rowCodes.includes(code)
}

/**
 * Whether the database cannot be used by anybody now, as opposed to a fault of one piece of work. An error without a code is the
 * client library's own (a connection that ended, a pool that timed out); a fault in our code has a type of its own.
 */
export function isAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error && error.constructor === Error
  if (isSystemError(error)) return true
  return isSqlState(code) && (awayClasses.includes(code.slice(0, 2)) || awayCodes.includes(code))
}

/** The operating system's refusals, such as EMFILE, ENOMEM and ECONNREFUSED; Node's own, such as ERR_INVALID_ARG_TYPE, are faults in code. */
export function isSystemError(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && /^E(?!RR_)[A-Z0-9_]+$/.test(code)
}
