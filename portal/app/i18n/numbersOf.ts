import { createContext } from 'react'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'

/** The currency in whose form the numbers below are written; undefined: in that of the reader's language. */
export const NumbersContext = createContext<Currency | undefined>(undefined)
