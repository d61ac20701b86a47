import type { AuditContent, AuditSelection, Tallies, Tally } from '#contract/audits/audit-content.ts'

/*
 * Where the paid sales of a file are. Most machines report them in VA1 and PA2; others only by payment device (CA2, DA2, DB2),
 * by price (PA7) or by price list (LA1).
 */

export const halves = ['sinceInitialisation', 'sinceReset'] as const
export type Half = (typeof halves)[number]

/** The sum of one part of counters; null without any, where a counter has the other part alone, or if too large to be exact. */
function sumOf(tallies: readonly Tally[], part: 'value' | 'count', other: 'value' | 'count'): number | null {
  let sum: number | null = null
  for (const tally of tallies) {
    const number = tally[part]
    if (number !== null) sum = (sum ?? 0) + number
    else if (tally[other]) return null
  }
  return sum !== null && Number.isSafeInteger(sum) ? sum : null
}

export const sumOfTallies = (tallies: readonly Tally[]): Tally => ({
  value: sumOf(tallies, 'value', 'count'),
  count: sumOf(tallies, 'count', 'value'),
})

/** The sum of counters in both halves; null without any. */
function together(counters: readonly (Tallies | null | undefined)[]): Tallies | null {
  const reported = counters.filter((each) => each !== null && each !== undefined)
  if (reported.length === 0) return null
  return {
    sinceInitialisation: sumOfTallies(reported.map((each) => each.sinceInitialisation)),
    sinceReset: sumOfTallies(reported.map((each) => each.sinceReset)),
  }
}

/** What a selection sold: PA2, or else the sum of its payments (PA7). */
export const soldOf = ({ sold, payments }: Pick<AuditSelection, 'sold' | 'payments'>): Tallies | null =>
  sold ?? together(payments.map((payment) => payment.sold))

/** What each selection sold by price list (LA1), which counts pieces alone. */
export function soldByList(priceRows: AuditContent['priceRows']): Map<string, Tallies> {
  const bySelection = new Map<string, Tallies[]>()
  for (const { selection, sold } of priceRows) {
    if (selection === null) continue
    const pieces = (half: Half): Tally => ({ value: null, count: sold[half] })
    const tallies = { sinceInitialisation: pieces('sinceInitialisation'), sinceReset: pieces('sinceReset') }
    bySelection.set(selection, [...(bySelection.get(selection) ?? []), tallies])
  }
  return new Map(
    [...bySelection].flatMap(([selection, rows]) => {
      const sum = together(rows)
      return sum ? [[selection, sum]] : []
    }),
  )
}

type Content = Pick<AuditContent, 'sales' | 'payments' | 'selections' | 'priceRows'>

/** The blocks from which paid sales are known, the best first. */
export const salesSources = ['VA1', 'ΣPA2', 'ΣPA7', 'CA2 DA2', 'ΣLA1'] as const
export type SalesSource = (typeof salesSources)[number]

const saysAnything = (tallies: Tallies | null): tallies is Tallies =>
  tallies !== null && halves.some((half) => tallies[half].value !== null || tallies[half].count !== null)

/** All paid sales of a file, and the blocks they are from; null if it reports none. */
export function paidSales({ sales, payments, selections, priceRows }: Content): {
  from: SalesSource
  sold: Tallies
} | null {
  const { cash, cashless1, cashless2, vendTokens, valueTokens } = payments
  const sources: Record<SalesSource, () => Tallies | null> = {
    VA1: () => sales.paid,
    ΣPA2: () => together(selections.map(({ sold }) => sold)),
    ΣPA7: () => together(selections.flatMap((each) => each.payments.map(({ sold }) => sold))),
    'CA2 DA2': () => together([cash, cashless1?.sold, cashless2?.sold, vendTokens, valueTokens]),
    ΣLA1: () => together([...soldByList(priceRows).values()]),
  }
  for (const from of salesSources) {
    const sold = sources[from]()
    if (saysAnything(sold)) return { from, sold }
  }
  return null
}
