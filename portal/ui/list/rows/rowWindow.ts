import { mostScrolled, scrollStep } from '../state/listState.ts'

/** From this number of rows on, only the rows in view are in the page. */
export const virtualFrom = 200

/** Rows beyond the view that are fetched ahead. */
const ahead = 60

/** The pages, from 1, that contain the rows from `first` to `last` (from 0) and a few around them. */
export function pagesOfRows(first: number, last: number, count: number): number[] {
  const pageOf = (row: number) => Math.floor(row / scrollStep) + 1
  const end = Math.max(0, Math.min(last + ahead, count - 1))
  const from = pageOf(Math.max(0, Math.min(first, end) - ahead))
  return Array.from({ length: pageOf(end) - from + 1 }, (_, index) => from + index)
}

/** Position of a row: its page, from 1, and its place on that page. */
export const placeOfRow = (index: number) => ({ page: Math.floor(index / scrollStep) + 1, at: index % scrollStep })

/** How many rows one scroll shows of a total. */
export const scrolledOf = (total: number) => Math.min(total, mostScrolled)

/** Positions of the first and the last row in view, from 0. */
export interface InView {
  first: number
  last: number
}

/** The range in view, sent only to the parts that show it: it changes with every step of a scroll. */
export function makeView() {
  let now: InView = { first: 0, last: 0 }
  const listeners = new Set<() => void>()
  return {
    now: () => now,
    show: (next: InView) => {
      if (next.first === now.first && next.last === now.last) return
      now = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
export type View = ReturnType<typeof makeView>
