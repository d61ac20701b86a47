import type { AuditContent } from '#contract/audits/audit-content.ts'
import { type Block, type Blocks, type Draft, type DraftSelection, each, note, noted, once, oncePer } from './draft.ts'
import {
  countFirst,
  type Elements,
  initialisationThenReset,
  resetFirst,
  resetThenInitialisation,
  valueFirst,
} from './elements.ts'

/*
 * Sales: the machine's totals, by payment device, by selection and by price list. The order of elements differs per block, as
 * the standard has it: VA, CA2, DA2 and PA2 begin with the counters since initialisation, DA5 and LA1 with those since reset.
 */

type Cashless = NonNullable<AuditContent['payments']['cashless1']>
const noCashless: Cashless = { sold: null, debited: null, credited: null, discounts: null, surcharges: null }

const cashless = (
  device: 'cashless1' | 'cashless2',
  of: (read: Elements, before: Cashless) => Partial<Cashless>,
): Block =>
  once((read, { payments }) => {
    const before = payments[device] ?? noCashless
    payments[device] = noted(payments[device], { ...before, ...of(read, before) })
  })

const cashlessBlocks = (name: 'DA' | 'DB', device: 'cashless1' | 'cashless2'): Blocks => ({
  [`${name}2`]: cashless(device, (read, before) => ({ sold: noted(before.sold, valueFirst(read, 1)) })),
  [`${name}3`]: cashless(device, (read, before) => ({
    debited: noted(before.debited, initialisationThenReset(read, read.money, 1)),
  })),
  [`${name}4`]: cashless(device, (read, before) => ({
    credited: noted(before.credited, initialisationThenReset(read, read.money, 1)),
  })),
  [`${name}5`]: cashless(device, (read, before) => ({
    discounts: noted(before.discounts, resetFirst(read, 1)),
    surcharges: noted(before.surcharges, resetFirst(read, 5)),
  })),
})

function selectionOf(draft: Draft, selection: string, line: number): DraftSelection {
  const existing = draft.selections.get(selection)
  if (existing) return existing
  const fresh: DraftSelection = {
    selection,
    line,
    name: null,
    price: null,
    isAbsent: null,
    level: null,
    minimum: null,
    sold: null,
    discounts: null,
    surcharges: null,
    test: null,
    free: null,
    soldOutAt: null,
    payments: new Map(),
  }
  draft.selections.set(selection, fresh)
  return fresh
}

/** PA2 … PA5 belong to the PA1 above them, by position only. */
const ofSelection = (take: (read: Elements, selection: DraftSelection) => void): Block => ({
  keyOf: (_, draft) => draft.current?.selection ?? '',
  take: (read, draft) => {
    if (!draft.current) {
      read.remark('selectionMissing')
      return false
    }
    take(read, draft.current)
    return true
  },
})

/** Payment device, price list and price: a machine may count each price of a selection apart. */
const paymentKey = (read: Elements) => read.all.slice(1, 4).join('*')

export const salesBlocks: Blocks = {
  VA1: once((read, { sales }) => {
    sales.paid = noted(sales.paid, valueFirst(read, 1))
    sales.discounts = noted(sales.discounts, valueFirst(read, 5))
    sales.surcharges = noted(sales.surcharges, valueFirst(read, 9))
  }),
  VA2: once((read, { sales }) => {
    sales.test = noted(sales.test, valueFirst(read, 1))
  }),
  VA3: once((read, { sales }) => {
    sales.free = noted(sales.free, valueFirst(read, 1))
  }),
  CA2: once((read, { payments }) => {
    payments.cash = noted(payments.cash, valueFirst(read, 1))
  }),
  ...cashlessBlocks('DA', 'cashless1'),
  ...cashlessBlocks('DB', 'cashless2'),
  TA2: once((read, { payments }) => {
    payments.vendTokens = noted(payments.vendTokens, valueFirst(read, 1))
    payments.valueTokens = noted(payments.valueTokens, valueFirst(read, 5))
  }),

  PA1: oncePer(1, (read, draft) => {
    const id = read.text(1)
    if (id === null) {
      draft.current = null
      return false
    }
    const selection = selectionOf(draft, id, read.line)
    selection.price = read.price(2) ?? selection.price
    selection.name = read.text(3) ?? selection.name
    selection.isAbsent = read.flag(7) ?? selection.isAbsent
    selection.level = read.count(8) ?? selection.level
    selection.minimum = read.count(9) ?? selection.minimum
    draft.current = selection
    return true
  }),
  PA2: ofSelection((read, selection) => {
    selection.sold = noted(selection.sold, countFirst(read, 1))
    selection.discounts = noted(selection.discounts, countFirst(read, 5))
    selection.surcharges = noted(selection.surcharges, countFirst(read, 9))
  }),
  PA3: ofSelection((read, selection) => {
    selection.test = noted(selection.test, countFirst(read, 1))
  }),
  PA4: ofSelection((read, selection) => {
    selection.free = noted(selection.free, countFirst(read, 1))
  }),
  PA5: ofSelection((read, selection) => {
    selection.soldOutAt = read.moment(1, 2) ?? selection.soldOutAt
  }),
  PA7: {
    keyOf: (read, draft) => `${read.text(1) ?? draft.current?.selection}*${paymentKey(read)}`,
    take: (read, draft) => {
      const id = read.text(1) ?? draft.current?.selection
      if (id === undefined) {
        read.remark('selectionMissing')
        return false
      }
      note(selectionOf(draft, id, read.line).payments, paymentKey(read), {
        device: read.text(2),
        priceList: read.text(3),
        price: read.price(4),
        sold: countFirst(read, 5),
      })
      return true
    },
  },
  LA1: each((read, { priceRows }) => {
    const sold = resetThenInitialisation(read, read.count, 4)
    priceRows.push({ priceList: read.text(1), selection: read.text(2), price: read.price(3), sold })
  }),
}
