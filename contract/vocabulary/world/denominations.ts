import { type Currency, currencies } from './currencies.ts'

/*
 * Coins and notes in circulation, in the currency's whole units. A value that exists as coin and as note is listed with the coins, since a
 * count asks for pieces of a value.
 */
const inUnits = {
  COP: { coins: [50, 100, 200, 500, 1000], notes: [2000, 5000, 10_000, 20_000, 50_000, 100_000] },
  CZK: { coins: [1, 2, 5, 10, 20, 50], notes: [100, 200, 500, 1000, 2000, 5000] },
  EUR: { coins: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2], notes: [5, 10, 20, 50, 100, 200, 500] },
  GBP: { coins: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2], notes: [5, 10, 20, 50] },
  QAR: { coins: [0.01, 0.05, 0.1, 0.25, 0.5], notes: [1, 5, 10, 50, 100, 200, 500] },
  RON: { coins: [0.01, 0.05, 0.1, 0.5], notes: [1, 5, 10, 20, 50, 100, 200, 500] },
  RSD: { coins: [1, 2, 5, 10, 20], notes: [50, 100, 200, 500, 1000, 2000, 5000] },
  ZAR: { coins: [0.05, 0.1, 0.2, 0.5, 1, 2, 5], notes: [10, 20, 50, 100, 200] },
  MXN: { coins: [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20], notes: [50, 100, 200, 500, 1000] },
  UYU: { coins: [1, 2, 5, 10, 50], notes: [20, 100, 200, 500, 1000, 2000] },
  CLP: { coins: [10, 50, 100, 500], notes: [1000, 2000, 5000, 10_000, 20_000] },
  BRL: { coins: [0.01, 0.05, 0.1, 0.25, 0.5, 1], notes: [2, 5, 10, 20, 50, 100, 200] },
  PEN: { coins: [0.1, 0.2, 0.5, 1, 2, 5], notes: [10, 20, 50, 100, 200] },
  PYG: { coins: [50, 100, 500, 1000], notes: [2000, 5000, 10_000, 20_000, 50_000, 100_000] },
  USD: { coins: [0.01, 0.05, 0.1, 0.25, 0.5, 1], notes: [2, 5, 10, 20, 50, 100] },
} as const satisfies Record<Currency, { coins: readonly number[]; notes: readonly number[] }>

export interface Denomination {
  /** Minor units. */
  value: number
  kind: 'coin' | 'note'
}

const denominationsIn = (currency: Currency): Denomination[] => {
  const minor = 10 ** currencies[currency].storageDigits
  const { coins, notes } = inUnits[currency]
  return [
    ...coins.map((value) => ({ value: Math.round(value * minor), kind: 'coin' as const })),
    ...notes.map((value) => ({ value: Math.round(value * minor), kind: 'note' as const })),
  ].sort((one, other) => one.value - other.value)
}

const denominations = new Map(
  (Object.keys(inUnits) as Currency[]).map((currency) => [currency, denominationsIn(currency)] as const),
)

/** The coins and notes of a currency, from the smallest. */
export const denominationsOf = (currency: Currency): readonly Denomination[] => denominations.get(currency) ?? []

/** The smallest banknote of a currency, in minor units. */
export const smallestNote = (currency: Currency): number =>
  denominationsOf(currency).find(({ kind }) => kind === 'note')?.value ?? 0

/** Whether a piece of a value is a banknote. Values that the currency lacks are banknotes above its largest coin. */
export function isNote(currency: Currency, value: number): boolean {
  const all = denominationsOf(currency)
  const denomination = all.find((one) => one.value === value)
  if (denomination) return denomination.kind === 'note'
  return value > Math.max(...all.filter(({ kind }) => kind === 'coin').map((one) => one.value))
}
