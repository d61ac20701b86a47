import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A device secret is long and random, so one round of SHA-256 is enough, and quick at every connection. */
export const hashOfSecret = (secret: string | Uint8Array): string =>
  createHash('sha256').update(secret).digest('base64url')

/** 192 random bits, in letters that need no quoting in a shell or an address. */
export const newSecret = (): string => randomBytes(24).toString('base64url')

/** Compares in constant time. */
export function isSecret(secret: string | Uint8Array, hash: string): boolean {
  const sentHash = Buffer.from(hashOfSecret(secret))
  const storedHash = Buffer.from(hash)
  return sentHash.length === storedHash.length && timingSafeEqual(sentHash, storedHash)
}
