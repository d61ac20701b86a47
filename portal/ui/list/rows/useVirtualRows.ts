import type { Range, Virtualizer } from '@tanstack/react-virtual'
import { defaultRangeExtractor } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isTyping } from '#portal/app/isTyping.ts'

/** Rows drawn beyond the edges of the view. */
export const overscan = 3

/** The rows of a range, and the focused row, which stays in the page at any scroll position. */
export const rowsToDraw = (range: Range, focused: number | undefined): number[] => {
  const rows = defaultRangeExtractor(range)
  if (focused === undefined || focused >= range.count || rows.includes(focused)) return rows
  return [...rows, focused].sort((one, other) => one - other)
}

/** More rows than this in this many ms are unreadable: each is in view for a fifth of a second. */
const flight = { rows: 7, ms: 120 }
/** Rows drawn per frame while the list moves, so that a frame stays short. */
const perFrame = 4

interface DrawnRange {
  passed: readonly { at: number; startIndex: number }[]
  fliesUntil: number
  full: ReadonlySet<number>
}

/**
 * The rows drawn in full. At rest, all rows in the page. While scrolling, the rows drawn before and some more per
 * frame, in the direction of the scroll; none more at high speed.
 */
export function useRowsInFull(
  rows: readonly number[],
  { startIndex, isScrolling, isBackward }: { startIndex: number; isScrolling: boolean; isBackward: boolean },
): ReadonlySet<number> {
  const last = useRef<DrawnRange>({ passed: [{ at: 0, startIndex }], fliesUntil: 0, full: new Set() })
  const now = performance.now()
  const before = last.current
  const passed = [...before.passed.filter(({ at }, index, all) => index === all.length - 1 || now - at < flight.ms)]
  const from = passed.map((one) => Math.abs(startIndex - one.startIndex))
  const fliesUntil = Math.max(...from) > flight.rows ? now + flight.ms : before.fliesUntil
  const isNew = (row: number) => !before.full.has(row)
  const next =
    now < fliesUntil ? [] : isBackward ? rows.filter(isNew).slice(0, perFrame) : rows.filter(isNew).slice(-perFrame)
  const full = new Set(isScrolling ? [...rows.filter((row) => before.full.has(row)), ...next] : rows)
  useEffect(() => {
    last.current = { passed: [...passed, { at: now, startIndex }], fliesUntil, full }
  })
  return full
}

/** The target of a key from a row; `inView` rows fit in the view at once. */
export function rowAfterKey(key: string, row: number, count: number, inView: number): number | undefined {
  const page = Math.max(1, inView - 1)
  const steps: Record<string, number> = {
    ArrowDown: 1,
    j: 1,
    ArrowUp: -1,
    k: -1,
    PageDown: page,
    PageUp: -page,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  }
  const step = steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, row + step))
}

/**
 * The height of every row: that of the tallest row drawn so far, also for loading rows, so that the scroll bar is
 * right from the start. The height depends on `what`; `loaded` changes when rows arrive, and `onDrawn` is called once
 * they are in the page.
 */
export function useRowHeight(
  root: RefObject<HTMLElement | null>,
  { guess, what, loaded, onDrawn }: { guess: number; what: unknown; loaded: unknown; onDrawn?: () => void },
) {
  const [measurement, setMeasurement] = useState({ what, height: 0 })
  const height = measurement.what === what ? measurement.height : 0
  const done = useRef<{ what: unknown; loaded: unknown }>(undefined)
  // With every drawing, until there were rows of this kind to measure.
  // oxlint-disable-next-line react/exhaustive-deps -- once for each kind of row
  useLayoutEffect(() => {
    const last = done.current
    if (last && last.what === what && last.loaded === loaded) return
    const rows = [...(root.current?.querySelectorAll('[data-row]:not([data-waiting])') ?? [])]
    if (rows.length === 0) return
    done.current = { what, loaded }
    const tallest = Math.max(...rows.map((row) => row.getBoundingClientRect().height))
    if (tallest > height) setMeasurement({ what, height: tallest })
    onDrawn?.()
  })
  return { rowHeight: height || guess, isMeasured: height > 0 }
}

const rowOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLElement>('[data-row]')
const indexOf = (row: HTMLElement | null) => (row?.dataset.row ? Number(row.dataset.row) : undefined)

/** The focus among rows of which only some are in the page: keys reach all rows, and scrolling keeps the focus. */
export function useRowFocus(root: RefObject<HTMLElement | null>) {
  const [focused, setFocused] = useState<number>()
  const focusTarget = useRef<number>(undefined)
  useEffect(() => {
    // A loading row becomes another element once loaded.
    const index = focusTarget.current ?? (document.activeElement === document.body ? focused : undefined)
    if (index === undefined) return
    const row = root.current?.querySelector<HTMLElement>(`[data-row="${index}"]`)
    if (!row) return
    focusTarget.current = undefined
    row.focus({ preventScroll: true })
  })
  const keysOf =
    (
      virtualizer: Virtualizer<HTMLDivElement, Element> | Virtualizer<Window, Element>,
      count: number,
      rowHeight: number,
    ) =>
    (event: KeyboardEvent<HTMLElement>) => {
      const from = indexOf(rowOf(event.target))
      if (from === undefined || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const inView = Math.floor((virtualizer.scrollRect?.height ?? 0) / rowHeight)
      const to = rowAfterKey(event.key, from, count, inView)
      if (to === undefined) return
      event.preventDefault()
      if (to === from) return
      focusTarget.current = to
      setFocused(to)
      virtualizer.scrollToIndex(to)
    }
  return {
    focused,
    keysOf,
    onFocus: (event: FocusEvent<HTMLElement>) => setFocused(indexOf(rowOf(event.target))),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget) && focusTarget.current === undefined) setFocused(undefined)
    },
  }
}
