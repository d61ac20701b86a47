import type { AuditSelection } from '#contract/audits/audit-content.ts'
import { soldOf } from '#domain/audits/paid-sales.ts'

/**
 * The best-selling selections since the machine's initialisation, with their share of the best one's vends; null if a
 * machine does not count them.
 */
export function bestSelections({ selections }: { selections: readonly AuditSelection[] }, most: number) {
  const best = selections
    .map(({ selection, name, price, sold, payments, soldOutAt, isAbsent }) => ({
      selection,
      name,
      price,
      vends: soldOf({ sold, payments })?.sinceInitialisation.count ?? null,
      isSoldOut: soldOutAt !== null && isAbsent !== true,
    }))
    .sort((a, b) => (b.vends ?? -1) - (a.vends ?? -1))
    .slice(0, most)
  const first = best[0]?.vends ?? 0
  return best.map((selection) => ({ ...selection, share: first > 0 ? (selection.vends ?? 0) / first : 0 }))
}
