import { createHash } from 'node:crypto'
import { countAttempt, forgetAttempts, forgiveAttempt, isKnownPlace, rememberPlace } from '#database/identity.ts'
import type { SystemDb } from '#database/tenant.ts'
import { siteOf } from '#domain/network-site.ts'

interface Limit {
  free: number
  firstDelaySeconds: number
  longestDelaySeconds: number
}

const windowSeconds = 3600

/**
 * Failures that cost nothing, and the doubling wait after them. One address that guesses at one account is slowed most. An
 * account as a whole is slowed to a guess a minute at worst, so that guessing from many addresses leads nowhere; where its owner has
 * come in before that does not hold, so that nobody can keep them out by guessing on and on.
 */
const limits = {
  pair: { free: 5, firstDelaySeconds: 5, longestDelaySeconds: 900 },
  account: { free: 20, firstDelaySeconds: 2, longestDelaySeconds: 60 },
  address: { free: 60, firstDelaySeconds: 5, longestDelaySeconds: 900 },
} as const satisfies Record<string, Limit>

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

export interface Guess {
  email: string
  /** The caller's IP address. */
  address: string
  now: Date
}

const bucketsOf = ({ email, address }: Guess) => {
  const account = digest(email.trim().toLowerCase())
  const site = siteOf(address)
  return {
    known: `${account}:${site}`,
    pair: `pair:${account}:${site}`,
    account: `account:${account}`,
    address: `address:${site}`,
  }
}

/** Counts a guess before it is tried. False: too many, and nothing is tried. */
export async function mayGuess(db: SystemDb, guess: Guess): Promise<boolean> {
  const buckets = bucketsOf(guess)
  const isAtHome = await isKnownPlace(db, buckets.known)
  for (const kind of isAtHome ? (['pair', 'address'] as const) : (['pair', 'account', 'address'] as const)) {
    if (!(await countAttempt(db, { bucket: buckets[kind], now: guess.now, windowSeconds, ...limits[kind] })))
      return false
  }
  return true
}

/** The guess was right: the pair starts anew, what it added elsewhere is taken back, and the address is the owner's. */
export async function wasRight(db: SystemDb, guess: Guess): Promise<void> {
  const { known, pair, account, address } = bucketsOf(guess)
  await rememberPlace(db, known, guess.now)
  await forgetAttempts(db, [pair])
  await forgiveAttempt(db, [account, address])
}
