import { useRouterState } from '@tanstack/react-router'
import type { Screen } from './screen.ts'

/** The router's data of the current screen. */
export interface Here {
  screen: Screen
  /** The screens above it, outermost first. */
  ancestors: readonly Screen[]
  /** The nearest address that exists for every merchant: its own, or for a record's page its list. */
  place: string
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The parent of an opened record: a list then keeps its page. */
    isReturn?: boolean
  }
  interface StaticDataRouteOption {
    here?: Here
  }
}

type Matches = readonly { staticData: { here?: Here } }[]
export const hereOf = (matches: Matches): Here | undefined =>
  matches.map(({ staticData }) => staticData.here).findLast(Boolean)

/** The innermost screen of the address. */
export const useHere = () => useRouterState({ select: ({ matches }) => hereOf(matches) })
