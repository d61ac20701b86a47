import { createHmac, hkdfSync, randomInt } from 'node:crypto'
import type { Doors } from '#database/frame/tenant.ts'
import { countAttempt, forgiveAttempt } from '#database/machines/association-attempt.ts'
import { siteOf } from '#domain/frame/network-site.ts'

/** So long a code may be typed. */
export const linkCodeSeconds = 600

/** 8 random digits. */
export const newLinkCode = () => String(randomInt(100_000_000)).padStart(8, '0')

/** Codes are stored keyed with the deployment's secret, and bound to their medium. */
export function hashOfLinkCode(secretKey: string, { mediaId, code }: { mediaId: string; code: string }): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, 'gettone', 'link codes', 32))
  return createHmac('sha256', key).update(`${mediaId} ${code}`).digest('base64url')
}

const windowMillis = 15 * 60_000
/**
 * Wrong codes in 15 minutes. With 8 digits and a life of ten minutes, somebody who has a thousand accounts and addresses guesses a given medium's
 * code with a chance of ten in a hundred million.
 */
const most = { customer: 10, address: 30, media: 10 } as const

export interface LinkGuess {
  merchantId: string
  customerId: string
  address: string
  /** As typed, normalised: also of a medium that does not exist. */
  serial: string
}

const keysOf = ({ merchantId, customerId, address, serial }: LinkGuess) => ({
  customer: `link code of customer ${merchantId} ${customerId}`,
  address: `link code from ${siteOf(address)}`,
  media: `link code for ${merchantId} ${serial}`,
})
const windowOf = (now: Date) => new Date(Math.floor(now.getTime() / windowMillis) * windowMillis)

/**
 * Counts a code before it is checked, so that codes at one moment cannot pass the limits. Returns whether it may be checked, and whether the medium
 * has just reached its limit.
 */
export async function countLinkCode(
  doors: Doors,
  guess: LinkGuess,
  now: Date,
): Promise<{ isAllowed: boolean; isMediaFull: boolean }> {
  const keys = keysOf(guess)
  const [customer = 0, address = 0, media = 0] = await countAttempt(
    doors,
    [keys.customer, keys.address, keys.media],
    windowOf(now),
  )
  return {
    isAllowed: customer <= most.customer && address <= most.address && media <= most.media,
    isMediaFull: media === most.media,
  }
}

/** The code was right: nothing was guessed. */
export const forgiveLinkCode = (doors: Doors, guess: LinkGuess, now: Date) =>
  forgiveAttempt(doors, Object.values(keysOf(guess)), windowOf(now))
