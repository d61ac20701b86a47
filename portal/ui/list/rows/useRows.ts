import { keepPreviousData, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { rowQuery } from '#portal/app/api.ts'
import { scrollStep } from '../state/listState.ts'
import { makeView, pagesOfRows, placeOfRow, scrolledOf, type View } from './rowWindow.ts'

/** The refresh interval, independent of live updates. */
const refreshMs = 5 * 60_000
/** How long rows out of view are cached, so that scrolling back a little fetches nothing. */
const keptMs = 30_000
/**
 * The range in view is reported at this interval, and fetched unless more rows than this have passed: dragging a
 * scroll bar passes many pages.
 */
const paceMs = 120
const passingRows = 40

export interface PageOf<T> {
  items: readonly T[]
  total: number
  capped: boolean
  next?: string | null
  previous?: string | null
  totals?: readonly ListTotal[]
}

/** The rows of a list: one page, or one scroll whose rows in view are fetched. */
export interface Rows<T> {
  isScroll: boolean
  /** The current answer; in one scroll, all loaded rows. Undefined before the first answer. */
  page: PageOf<T> | undefined
  /** The number of rows, for the height of the scroll. */
  count: number
  /** A row by its position, from 0; undefined while it loads. */
  at: (index: number) => T | undefined
  /** Reports the rows in view. */
  look: (first: number, last: number) => void
  /** The rows in view. */
  view: View
  /** Shows the previous rows while the next ones load. */
  isStale: boolean
  /** The error of a row that failed to load. */
  error: Error | null
  refetch: () => Promise<unknown>
  /** Epoch milliseconds; 0 before the first answer. */
  updatedAt: number
}

interface Options {
  params: unknown
  query: Record<string, unknown>
  isScroll: boolean
  /** The query is not known yet. */
  isHeld: boolean
}

/** Fetches the rows of a list. */
export function useRows<T>(row: AnyEndpoint, options: Options): Rows<T> {
  const one = useOnePage<T>(row, options)
  const all = useAllRows<T>(row, options)
  return options.isScroll ? all : one
}

const nothing = () => {}
const noView = makeView()

function useOnePage<T>(row: AnyEndpoint, { params, query, isScroll, isHeld }: Options): Rows<T> {
  const answer = useQuery({
    ...rowQuery(row, { params, query }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    enabled: !isScroll && !isHeld,
  })
  const page = answer.data as PageOf<T> | undefined
  return {
    isScroll: false,
    page,
    count: page?.items.length ?? 0,
    at: (index) => page?.items[index],
    look: nothing,
    view: noView,
    isStale: answer.isPlaceholderData,
    error: answer.error,
    refetch: answer.refetch,
    updatedAt: answer.dataUpdatedAt,
  }
}

/** The last rows shown: they stay until the next ones have loaded. */
interface VisibleRows<T> {
  scope: string
  total: number
  capped: boolean
  pages: ReadonlyMap<number, readonly T[]>
  totals: readonly ListTotal[] | undefined
}

function useAllRows<T>(row: AnyEndpoint, { params, query, isScroll, isHeld }: Options): Rows<T> {
  const scope = JSON.stringify([row.path, params, query])
  const [pagesInView, setPagesInView] = useState({ scope, pages: '1' })
  const before = useRef<VisibleRows<T>>(undefined)
  const numbers = pagesInView.scope === scope ? pagesInView.pages : '1'
  const pageNumbers = isScroll && !isHeld ? numbers.split(',').map(Number) : []
  const { data, newest, updatedAt, error, refetch } = useQueries({
    queries: pageNumbers.map((number) => ({
      ...rowQuery(row, { params, query: { ...query, page: number, size: scrollStep } }),
      refetchInterval: refreshMs,
      gcTime: keptMs,
    })),
    combine: together,
  })

  const [view] = useState(makeView)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ scope, inView: view.now() })
  latest.current.scope = scope
  const look = useCallback(
    (first: number, last: number) => {
      latest.current.inView = { first, last }
      const tell = () => {
        const { scope, inView } = latest.current
        const moved = Math.abs(inView.first - view.now().first)
        view.show(inView)
        timer.current = moved > passingRows ? setTimeout(tell, paceMs) : undefined
        if (timer.current) return
        const pages = pagesOfRows(inView.first, inView.last, scrolledOf(before.current?.total ?? 0)).join()
        setPagesInView((was) => (was.scope === scope && was.pages === pages ? was : { scope, pages }))
      }
      timer.current ??= setTimeout(tell, paceMs)
    },
    [view],
  )

  const now = useMemo((): VisibleRows<T> | undefined => {
    const pages = new Map<number, readonly T[]>()
    for (const [index, number] of numbers.split(',').entries()) {
      const page = data.get(index) as PageOf<T> | undefined
      if (page) pages.set(Number(number), page.items)
    }
    const latest = data.get(newest)
    return latest && { scope, total: latest.total, capped: latest.capped, pages, totals: latest.totals }
  }, [scope, numbers, data, newest])
  if (now) before.current = now
  const visible = before.current
  const isOfBefore = visible !== undefined && visible.scope !== scope
  // A jump to rows that are not loaded keeps the count and shows them as loading.
  const pages = now || isOfBefore ? visible?.pages : undefined
  const page = useMemo(
    () =>
      visible && {
        items: [...(pages?.values() ?? [])].flat(),
        total: visible.total,
        capped: visible.capped,
        ...(visible.totals && { totals: visible.totals }),
      },
    [visible, pages],
  )
  const at = useCallback(
    (index: number) => {
      const place = placeOfRow(index)
      return pages?.get(place.page)?.[place.at]
    },
    [pages],
  )
  return {
    isScroll: true,
    // Rows of another filter do not replace rows that failed to load.
    page: error && isOfBefore ? undefined : page,
    count: error && isOfBefore ? 0 : scrolledOf(visible?.total ?? 0),
    at,
    look,
    view,
    isStale: isOfBefore,
    error,
    refetch,
    updatedAt,
  }
}

/**
 * The answers of several pages as one; `newest` is the index of the latest. A map keeps their identity: an array would
 * be compared row by row for every page that scrolls into view.
 */
function together(answers: readonly UseQueryResult[]) {
  const updatedAt = Math.max(0, ...answers.map(({ dataUpdatedAt }) => dataUpdatedAt))
  return {
    data: new Map(answers.map(({ data }, place) => [place, data as PageOf<unknown> | undefined])),
    newest: answers.findIndex(({ dataUpdatedAt }) => dataUpdatedAt === updatedAt),
    updatedAt,
    error: answers.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(answers.map((answer) => answer.refetch())),
  }
}
