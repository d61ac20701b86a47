import { allMerchants } from '#contract/vocabulary/merchant.ts'

/**
 * The merchant that a user begins with: the first of the candidates that they can see, else all merchants, or the only one. Ids of other
 * users' merchants are ignored.
 */
export function firstMerchant(
  merchants: readonly { id: string }[],
  candidates: readonly (string | undefined)[],
): string | undefined {
  const [first, second] = merchants
  if (!first) return undefined
  const possible = new Set(merchants.map(({ id }) => id))
  if (second) possible.add(allMerchants)
  return candidates.find((id) => id && possible.has(id)) ?? (second ? allMerchants : first.id)
}
