/**
 * Errors of the row itself, which would fail at any time: data exceptions (22), violated constraints (23), a view's check (44), a row too
 * large for its page or index (54000). See PostgreSQL, appendix A. Class 42 is about our statements, schema and grants, so it is not
 * listed.
 */
const rowClasses = ['22', '23', '44']
const rowCodes = ['54000']

/**
 * SQLSTATEs of an unavailable database: connection lost, sign-in refused (a password is being changed), transaction rolled back,
 * resources exhausted, shutdown, system error, locked, read-only, missing database.
 */
const awayClasses = ['08', '28', '40', '53', '57', '58']
const awayCodes = ['55P03', '25006', '3D000']

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const isSqlState = (code: string) => /^[0-9A-Z]{5}$/.test(code)

/**
 * Whether the same work may succeed later: always, unless the database rejected the row itself. An unknown error counts as ours or the
 * system's; such an item is neither acknowledged nor set aside as wrong data.
 */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined || !isSqlState(code) || isSystemError(error)) return true
  return !rowClasses.includes(code.slice(0, 2)) && !rowCodes.includes(code)
}

/**
 * Whether the database is unavailable to everyone, as opposed to an error of one piece of work. An error without a code comes from the
 * client library (connection ended, pool timed out); errors in our code have their own types.
 */
export function isAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error && error.constructor === Error
  if (isSystemError(error)) return true
  return isSqlState(code) && (awayClasses.includes(code.slice(0, 2)) || awayCodes.includes(code))
}

/**
 * Errors of the operating system, such as EMFILE, ENOMEM and ECONNREFUSED. Node's own codes, such as ERR_INVALID_ARG_TYPE, are errors in
 * code.
 */
export function isSystemError(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && /^E[A-Z0-9_]+$/.test(code) && !code.startsWith('ERR_')
}
