import { createHash } from 'node:crypto'
import type { SystemDb } from '#database/frame/tenant.ts'
import { countAttempt, forgetAttempts, forgiveAttempt, isKnownPlace, rememberPlace } from '#database/people/identity.ts'
import { siteOf } from '#domain/frame/network-site.ts'

interface Limit {
  free: number
  firstDelaySeconds: number
  longestDelaySeconds: number
}

const windowSeconds = 3600

/**
 * Free failures, and the doubling wait after them. A pair of address and account has the longest waits. A whole account is
 * limited to a guess a minute, so that guessing from many addresses is hopeless; so is an address that guesses at many
 * accounts. Guessing cannot lock out the owner: in a browser or at an address with an earlier sign-in, only their own
 * failures count.
 */
const limits = {
  pair: { free: 5, firstDelaySeconds: 5, longestDelaySeconds: 900 },
  account: { free: 20, firstDelaySeconds: 2, longestDelaySeconds: 60 },
  address: { free: 60, firstDelaySeconds: 5, longestDelaySeconds: 900 },
} as const satisfies Record<string, Limit>

type Limits = Record<'pair' | 'account' | 'address', Limit>

/** Guesses of a code of six digits. The guesser knows the password, so an account waits longer. */
export const codeLimits: Limits = { ...limits, account: { free: 10, firstDelaySeconds: 30, longestDelaySeconds: 900 } }

const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

export interface Guess {
  email: string
  /** The caller's IP address. */
  address: string
  /** The value of the browser's cookie; a browser gets it at its first sign-in. */
  browser?: string | undefined
  now: Date
}

/** Whether the account's owner has signed in from this browser or address before, and which counters apply. */
type Place = 'browser' | 'site' | 'unknown'

function bucketsOf({ email, address, browser }: Guess) {
  const account = digest(email.trim().toLowerCase())
  const site = siteOf(address)
  return {
    knownSite: `${account}:${site}`,
    knownBrowser: browser && `${account}:browser:${digest(browser)}`,
    browserAttempts: browser && `browser:${account}:${digest(browser)}`,
    pair: `pair:${account}:${site}`,
    account: `account:${account}`,
    address: `address:${site}`,
  }
}

async function placeOf(db: SystemDb, { knownBrowser, knownSite }: ReturnType<typeof bucketsOf>): Promise<Place> {
  if (knownBrowser && (await isKnownPlace(db, knownBrowser))) return 'browser'
  return (await isKnownPlace(db, knownSite)) ? 'site' : 'unknown'
}

/**
 * Counts a guess before the password is checked, and returns its place. Undefined: too many guesses, so the password is not
 * checked.
 */
export async function mayGuess(db: SystemDb, guess: Guess, most: Limits = limits): Promise<Place | undefined> {
  const buckets = bucketsOf(guess)
  const place = await placeOf(db, buckets)
  const counted = {
    browser: [[buckets.browserAttempts ?? buckets.pair, most.pair]],
    site: [[buckets.pair, most.pair]],
    unknown: [
      [buckets.pair, most.pair],
      [buckets.account, most.account],
      [buckets.address, most.address],
    ],
  } satisfies Record<Place, readonly (readonly [string, Limit])[]>
  for (const [bucket, limit] of counted[place])
    if (!(await countAttempt(db, { bucket, now: guess.now, windowSeconds, ...limit }))) return undefined
  return place
}

/**
 * The guess was correct: resets the pair, subtracts its share from the other counters, and remembers the address and
 * browser. A guess from a known place added nothing to other counters, so it frees no other guesser at its address.
 */
export async function wasRight(db: SystemDb, guess: Guess, place: Place): Promise<void> {
  const { knownSite, knownBrowser, browserAttempts, pair, account, address } = bucketsOf(guess)
  await rememberPlace(db, knownSite, guess.now)
  if (knownBrowser) await rememberPlace(db, knownBrowser, guess.now)
  // A success in a known browser does not clear the guesses of others at the account from the same address.
  await forgetAttempts(db, [...(browserAttempts ? [browserAttempts] : []), ...(place === 'browser' ? [] : [pair])])
  if (place === 'unknown') await forgiveAttempt(db, [account, address])
}
