import type { Tallies, Tally } from '#contract/audits/audit-content.ts'
import { halves } from '../paid-sales.ts'
import type { Draft } from './draft.ts'
import type { Remark } from './elements.ts'

/*
 * Some machines count vends and leave their value at 0 for ever. A value of 0 beside vends at a price is unknown, not free of charge.
 */

type Counter = { get: () => Tallies | null | undefined; set: (tallies: Tallies) => void }

const tallyList = (counters: readonly Counter[]): Tally[] =>
  counters.flatMap((counter) => {
    const tallies = counter.get()
    return tallies ? halves.map((half) => tallies[half]) : []
  })

/** Counters of one kind, all of which have no value. */
function groupsOf({ sales, payments, selections }: Draft): Counter[][] {
  const { cashless1, cashless2 } = payments
  const all = [...selections.values()]
  const reader = (device: typeof cashless1): Counter => ({
    get: () => device?.sold,
    set: (sold) => device && Object.assign(device, { sold }),
  })
  return [
    [{ get: () => sales.paid, set: (paid) => Object.assign(sales, { paid }) }],
    [
      { get: () => payments.cash, set: (cash) => Object.assign(payments, { cash }) },
      reader(cashless1),
      reader(cashless2),
    ],
    all.map((selection) => ({ get: () => selection.sold, set: (sold) => Object.assign(selection, { sold }) })),
    all.flatMap((selection) =>
      [...selection.payments.values()].map((row) => ({
        get: () => row.sold,
        set: (sold: Tallies) => Object.assign(row, { sold }),
      })),
    ),
  ]
}

/** Whether vends cost something, as far as the file says. Without any price it may be so. */
function mayCost({ selections, priceRows }: Draft): boolean {
  const prices = [
    ...[...selections.values()].flatMap(({ price, payments }) => [
      price,
      ...[...payments.values()].map((row) => row.price),
    ]),
    ...priceRows.map(({ price }) => price),
  ].filter((price) => price !== null)
  return prices.length === 0 || prices.some((price) => price > 0)
}

/** Makes values unknown that the machine does not count. */
export function dropUncountedValues(draft: Draft, remark: Remark): void {
  if (!mayCost(draft)) return
  let vends = 0
  for (const group of groupsOf(draft)) {
    const tallies = tallyList(group)
    const counted = tallies.reduce((most, { count }) => Math.max(most, count ?? 0), 0)
    if (counted === 0 || !tallies.some(({ value }) => value === 0) || tallies.some(({ value }) => value)) continue
    vends = Math.max(vends, counted)
    for (const { get, set } of group) {
      const counter = get()
      if (!counter) continue
      const { sinceInitialisation, sinceReset } = counter
      set({
        sinceInitialisation: { ...sinceInitialisation, value: null },
        sinceReset: { ...sinceReset, value: null },
      })
    }
  }
  if (vends > 0) remark('valuesNotCounted', null, { vends })
}
