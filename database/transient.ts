/**
 * SQLSTATE classes that say "not now": connection lost, sign-in refused (a password is being changed), resources short, taken
 * back to be tried again, shut down.
 */
const transientClasses = ['08', '28', '53', '40', '57', '58']
const transientCodes = ['55P03', '25006', '3D000']

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]

/**
 * Whether the database may take the same work later. An error without a code is the client library's own (a connection that
 * ended, a pool that timed out); an error of ours, in code, carries its type.
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined) return error.constructor === Error
  if (networkCodes.includes(code)) return true
  return /^[0-9A-Z]{5}$/.test(code) && (transientClasses.includes(code.slice(0, 2)) || transientCodes.includes(code))
}
