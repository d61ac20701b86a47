/**
 * Maximum wrong PINs in a quarter of an hour, and per day. A correct PIN is never counted. Above `everywhere`, only networks without a failed
 * attempt may try, up to `firstOfNetwork`. With 1,000 merchants, a day of guessing finds a PIN with a chance of 2 percent; for one merchant
 * whose expected serials are known, with a chance of 3 in a million (`expectedPerDay` of 100,000,000 PINs).
 */
export const pinLimits = {
  serialFromNetwork: 5,
  serial: 5,
  network: 20,
  merchant: 100,
  everywhere: 200,
  firstOfNetwork: 400,
  everywherePerDay: 2000,
  expected: 100,
  expectedPerDay: 300,
}

/** A one-time code has this many digits, and lasts this long: guessed without end, it is found with a chance below 1 in 100,000. */
export const oneTimeCode = { digits: 12, minutes: 30 }

/** Attempts, this one included. */
export interface AttemptCounts {
  /** With this serial from this network, and in total from the network. */
  fromNetwork: number
  byNetwork: number
  /** With this serial, and in total; only those within their network's own limits. */
  bySerial: number
  everywhere: number
  everywhereInDay: number
  /** At serials of each merchant that has or expects this serial. */
  byMerchant: readonly number[]
  /** At serials that the PIN's merchant expects, within own limits or not. */
  expected: number
  expectedInDay: number
}

/**
 * Whether the PIN of an attempt is compared at all. For a serial that the PIN's merchant expects, only attempts at its expected serials count: wrong
 * PINs at the machine, and strangers who know the serial or share the network, do not keep its technician out. Otherwise the limits of the network
 * hold, and the limits of all strangers unless the merchant knows the network.
 */
export function isHeard(
  { isExpected, isKnownPlace }: { isExpected: boolean; isKnownPlace: boolean },
  counts: AttemptCounts,
): boolean {
  if (isExpected && counts.expected <= pinLimits.expected && counts.expectedInDay <= pinLimits.expectedPerDay)
    return true
  if (counts.fromNetwork > pinLimits.serialFromNetwork || counts.byNetwork > pinLimits.network) return false
  if (isKnownPlace) return true
  const hasRoom =
    counts.everywhere <= pinLimits.everywhere ||
    (counts.byNetwork === 1 && counts.everywhere <= pinLimits.firstOfNetwork)
  return (
    counts.bySerial <= pinLimits.serial &&
    Math.max(0, ...counts.byMerchant) <= pinLimits.merchant &&
    counts.everywhereInDay <= pinLimits.everywherePerDay &&
    hasRoom
  )
}
