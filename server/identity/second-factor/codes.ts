import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const periodSeconds = 30
/** Steps before and after the present one whose codes count, for clocks that differ. */
const tolerance = 1
const product = 'Gettone'

const totpOf = (secret: string, label: string) =>
  new TOTP({
    issuer: product,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  })

/** A new secret for an authenticator app, in base 32: 160 bits, as RFC 4226 recommends. */
export const newAppSecret = (): string => new Secret({ size: 20 }).base32

/** The address that apps read from the QR code. */
export const appAddress = (secret: string, label: string): string => totpOf(secret, label).toString()

/** The time step (RFC 6238) whose code this is; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now.getTime(), window: tolerance })
  return delta === null ? undefined : Math.floor(now.getTime() / (periodSeconds * 1000)) + delta
}

export const recoveryCodeCount = 10
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
/** Letters of five random bits. */
const recoveryLength = 24
/** Of older codes, which count until they are used or replaced. */
const formerLength = 16

/** A recovery code of 120 random bits, in groups that are easy to copy: `abcd-efgh-ijkl-mnop-qrst-uvwx`. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(recoveryLength)].map((byte) => alphabet[byte & 31]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}

export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newRecoveryCode)

/** The stored hash of a user's recovery code. The code is long and random, so that one round is enough. */
export const hashOfRecoveryCode = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`recovery:${userId}:${code.replaceAll('-', '')}`)
    .digest('base64url')

/** What a user typed as a code: of an app, a recovery code, or neither. */
export function readCode(text: string): { app: string } | { recovery: string } | undefined {
  const code = text.slice(0, 100).replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(code)) return { app: code }
  const isRecovery = /^[a-z2-7]+$/.test(code) && [recoveryLength, formerLength].includes(code.length)
  return isRecovery ? { recovery: code } : undefined
}
