import type { Report } from '#contract/insight/report.ts'
import { type KnownShare, knownShares } from '#contract/vocabulary/insight/report.ts'

/** Which share of each has a known cost, as words of a note. Nothing is known as a whole. */
export function sharesOf(known: Report['known'], percent: (ratio: number) => string): Record<KnownShare, string> {
  const share = (name: KnownShare) => {
    const some = known.filter((one) => one.of === name)
    const sum = (side: 'part' | 'whole') => some.reduce((all, one) => all + one[side], 0)
    return percent(sum('whole') > 0 ? sum('part') / sum('whole') : 1)
  }
  // Cast: each share has its name.
  return Object.fromEntries(knownShares.map((name) => [name, share(name)])) as Record<KnownShare, string>
}
