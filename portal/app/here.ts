import { useRouterState } from '@tanstack/react-router'
import type { Screen } from './screen.ts'

/** What the router knows of the screen that is shown. */
export interface Here {
  screen: Screen
  /** The screens above it, outermost first. */
  ancestors: readonly Screen[]
  /** The nearest address that exists for every merchant: its own, or above a page of one thing its list. */
  place: string
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The way back up from something that was opened: a list is then left at the page it had. */
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
