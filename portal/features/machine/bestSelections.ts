import type { AuditSelection } from '#contract/audit-content.ts'

/** The selections that sold most since the machine was initialised, with their share of the best one's vends. */
export function bestSelections({ selections }: { selections: readonly AuditSelection[] }, most: number) {
  const best = selections
    .map(({ selection, name, price, sold, soldOutAt, isAbsent }) => ({
      selection,
      name,
      price,
      vends: sold?.sinceInitialisation.count ?? 0,
      isSoldOut: soldOutAt !== null && isAbsent !== true,
    }))
    .sort((a, b) => b.vends - a.vends)
    .slice(0, most)
  const first = best[0]?.vends ?? 0
  return best.map((selection) => ({ ...selection, share: first > 0 ? selection.vends / first : 0 }))
}
