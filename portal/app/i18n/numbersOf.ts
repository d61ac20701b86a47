import { createContext } from 'react'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'

/** The marks in numbers: after thousands, and before decimals. */
export interface NumberMarks {
  group: string
  decimal: string
}

/** The marks of a currency's amounts, which plain numbers beside them have too. */
export const marksOf = (currency: Currency): NumberMarks => {
  const { group, decimal } = currencies[currency]
  return { group: group === ' ' ? '\u00a0' : group, decimal }
}

/** The currency in whose form all numbers are written; undefined: merchants in view write numbers differently. */
export function numbersOf(inView: readonly Currency[]): Currency | undefined {
  const [first] = inView
  if (!first) return undefined
  const { group, decimal } = currencies[first]
  const isOne = inView.every((one) => currencies[one].group === group && currencies[one].decimal === decimal)
  return isOne ? first : undefined
}

/** The currency in whose form the numbers below are written; undefined: in that of the reader's language. */
export const NumbersContext = createContext<Currency | undefined>(undefined)
