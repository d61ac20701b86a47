import type { CollectionStatus, CountSight } from '#contract/vocabulary/cash.ts'

/**
 * The kind of a count, by the status before it; null where the merchant does not count blind. A saved count shows what is expected, so each
 * later one is another count, also of another user.
 */
export function countSightOf(
  before: CollectionStatus,
  { isBlind, seesBoxes }: { isBlind: boolean; seesBoxes: boolean },
): CountSight | null {
  if (!isBlind) return null
  if (before !== 'open') return 'again'
  return seesBoxes ? 'seen' : 'blind'
}
