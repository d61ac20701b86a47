/** Where the portal counts: what a machine's report says more or less than the books at its moment, in the last two reports. */
export interface Difference {
  now: number
  before: number
  /** A difference that a user keeps on purpose. */
  kept: number
}

export const noDifference: Difference = { now: 0, before: 0, kept: 0 }

/** The difference after a report that says `level` where the books say `expected`. */
export const differenceAfter = ({ now, kept }: Difference, level: number, expected: number): Difference => ({
  now: level - expected,
  before: now,
  kept,
})

/** Whether a difference is a finding: it stays over two reports, and no user keeps it. One report may cross a sale or a refill. */
export const isFinding = ({ now, before, kept }: Difference): boolean =>
  now !== 0 && Math.sign(now) === Math.sign(before) && now !== kept && before !== kept

/** A user keeps the books: the same difference is no finding again. */
export const keepBooks = ({ now, before }: Difference): Difference => ({ now, before, kept: now })

/** How long before a visit the machine may have counted its refill: technicians press a button, then finish on the phone. */
export const sameVisitMs = 2 * 3_600_000

/** Whether a machine that was refilled by its own word has counted what a user did at a time. */
export const isCountedBy = (at: number, machineRefilledAt: number | null): boolean =>
  machineRefilledAt !== null && machineRefilledAt >= at - sameVisitMs
