import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

interface Cost {
  N: number
  r: number
  p: number
}

/** From OWASP's password storage cheat sheet: scrypt with 32 MiB of memory. */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 }
const hashLength = 32

const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt)

/** Equivalent characters of different keyboards count as one (NFKC), so a password typed on a phone matches. */
const hashWith = ({ N, r, p }: Cost, password: string, salt: Buffer, length: number) =>
  derive(password.normalize('NFKC'), salt, length, { N, r, p, maxmem: 256 * N * r })

/** A password for storage: `scrypt$N$r$p$salt$hash`. It contains its cost, so that the cost can grow. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await hashWith(cost, password, salt, hashLength)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Replaces the hash for unknown addresses, so that the answer takes equally long. */
const nobodysHash = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$')

/** Whether the password is the stored one. Takes the same time without a stored password (`undefined`). */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? nobodysHash).split('$')
  if (scheme !== 'scrypt' || !salt || !hash) throw new Error('The stored password has an unknown format')
  const expected = Buffer.from(hash, 'base64url')
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  const actual = await hashWith(parameters, password, Buffer.from(salt, 'base64url'), expected.length)
  return timingSafeEqual(actual, expected) && stored !== undefined
}
