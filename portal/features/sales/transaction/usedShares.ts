import type { Sums } from '#contract/sales/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'

/** The use of a code or a product: its number, its share of all, and its money if that is in one currency. */
export interface UsedShare<Code> {
  code: Code
  count: number
  /** 0 to 1, of the number of transactions. */
  share: number
  money: { value: number; currency: Currency } | undefined
}

/** Adds up the currencies of a code, the most used first. */
export function sharesOf<Used extends Sums, Code>(
  used: readonly Used[],
  codeOf: (one: Used) => Code,
): UsedShare<Code>[] {
  const total = used.reduce((sum, { count }) => sum + count, 0)
  const currencies = new Set(used.map(({ currency }) => currency))
  const byCode = new Map<Code, UsedShare<Code>>()
  for (const one of used) {
    const { count, value, currency } = one
    const code = codeOf(one)
    const before = byCode.get(code)
    byCode.set(code, {
      code,
      count: (before?.count ?? 0) + count,
      share: 0,
      money: currencies.size === 1 ? { value: (before?.money?.value ?? 0) + value, currency } : undefined,
    })
  }
  return [...byCode.values()]
    .map((one) => ({ ...one, share: total > 0 ? one.count / total : 0 }))
    .sort((a, b) => b.count - a.count)
}
