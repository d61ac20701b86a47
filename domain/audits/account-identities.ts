import type { AccountIdentity, AuditCounter } from '#contract/vocabulary/audit.ts'
import type { AuditCounters } from './audit-counters.ts'
import { type Interval, through } from './audit-interval.ts'

/*
 * Sums of EVA-DTS that should match, in the totals and between two readings. A sum that once mismatched
 * stays wrong in the totals for ever; the interval between two readings shows whether it is wrong now. Shown, never enforced.
 */

export interface IdentityCheck {
  identity: AccountIdentity
  left: number | null
  right: number | null
  isMoney: boolean
  holds: boolean | null
}

type Half = 0 | 1
type Read = (counter: AuditCounter, half: Half) => number | null

/** Sum of parts; null without any. A machine may lack the parts that it does not report. */
function partsOf(parts: readonly (number | null)[]): { sum: number | null; isWhole: boolean } {
  const knownParts = parts.filter((part) => part !== null)
  const sum = knownParts.length > 0 ? knownParts.reduce((whole, part) => whole + part, 0) : null
  return { sum, isWhole: knownParts.length === parts.length }
}

const check = (
  identity: AccountIdentity,
  left: number | null,
  right: number | null,
  // A sum without all of its parts that falls short proves nothing.
  { isMoney = true, isWhole = true } = {},
): IdentityCheck => ({
  identity,
  left,
  right,
  isMoney,
  holds: left === null || right === null ? null : left === right ? true : isWhole ? false : null,
})

function lineIdentities(read: Read): IdentityCheck[] {
  const money = (counter: AuditCounter) => read(counter, 1)
  const devices = partsOf(
    (['cashSold', 'cashless1Sold', 'cashless2Sold', 'vendTokens', 'valueTokens'] as const).map(money),
  )
  const takenIn = partsOf([money('toBox'), money('toTubes'), money('bills')])
  const paidOut = partsOf([money('dispensed'), money('byHand')])
  return [
    // A machine has only some devices; older machines omit cash.
    check('salesByDevice', money('sold'), devices.sum, { isWhole: money('cashSold') !== null }),
    check('salesBySelection', money('bySelection'), money('sold')),
    check('vendsBySelection', read('bySelection', 0), read('sold', 0), { isMoney: false }),
    check('selectionsByDevice', money('byPayment'), money('bySelection')),
    check('cashIn', money('cashIn'), takenIn.sum, { isWhole: takenIn.isWhole }),
    check('coinsToBox', money('toBox'), money('coinsToBox')),
    check('coinsToTubes', money('toTubes'), money('coinsToTubes')),
    check('billsByValue', money('bills'), billsByValue(money)),
    check('paidOut', paidOut.sum, money('coinsPaidOut'), { isWhole: money('dispensed') !== null }),
  ]
}

/** CA310 counts all accepted banknotes in some machines, and the stacked banknotes in others. */
const billsByValue = (money: (counter: AuditCounter) => number | null) =>
  money('bills') === money('billsToStacker') ? money('billsToStacker') : money('billsByValue')

/** A comparison with only one reported side is omitted. */
const isReported = ({ left, right }: IdentityCheck) => left !== null && right !== null

/** Over all that the machine has counted so far. */
export const identitiesAtRead = (counters: AuditCounters): IdentityCheck[] =>
  [
    ...lineIdentities((counter, half) => counters.lines[counter]?.[half] ?? null),
    check('tubeContents', counters.tubeContents, counters.tubesCounted),
  ].filter(isReported)

/** For the interval between two readings, as far as counters continued. */
export function identitiesBetween(
  before: AuditCounters | null,
  now: AuditCounters,
  interval: Interval,
): IdentityCheck[] {
  const read: Read = (counter, half) => through(interval.lines[counter])[half]
  const [toTubes, filled, dispensed] = (['toTubes', 'filled', 'dispensed'] as const).map((name) => read(name, 1))
  const held = before?.tubeContents ?? null
  const moved =
    toTubes === null || toTubes === undefined
      ? null
      : toTubes + (filled ?? 0) - (dispensed ?? 0) - (read('byHand', 1) ?? 0)
  return [
    ...lineIdentities(read),
    check('tubeMovement', held === null || now.tubeContents === null ? null : now.tubeContents - held, moved, {
      isWhole: filled !== null && dispensed !== null,
    }),
  ].filter(isReported)
}
