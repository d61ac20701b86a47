import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { isTyping } from '../../app/isTyping.ts'
import { lastPageOf, type PageSize } from './state/listState.ts'

interface Options {
  page: { items: readonly unknown[]; total: number; capped: boolean; next?: string | null } | undefined
  state: { page: number; size: PageSize }
  goTo: (page: number) => void
  refresh: () => unknown
  clear: () => void
  /** Whether rows are selected. */
  hasSelection: boolean
  /** Part of another screen's page, which scrolls. */
  isEmbedded: boolean
}

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }

/**
 * Keys of a list: `n` and `p` turn pages, `r` refreshes, arrows move between rows, Esc clears the selection and then leaves the
 * rows. `list` is the element with the rows.
 */
export function useListKeys(list: RefObject<HTMLElement | null>, options: Options) {
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (document.querySelector('[aria-modal=true], dialog[open]')) return
      const { page, state, goTo, refresh, clear, hasSelection, isEmbedded } = latest.current
      const hasNext = page && (page.next || state.page < lastPageOf(page.total, state.size))
      if (event.key === 'n' && hasNext) goTo(state.page + 1)
      else if (event.key === 'p' && state.page > 1) goTo(state.page - 1)
      else if (event.key === 'r') refresh()
      else if (event.key === 'Escape' && hasSelection) clear()
      else if (event.key === 'Escape' && rowOf(event.target)) leaveRows()
      else if ((event.key === 'ArrowDown' || event.key === 'j') && !event.shiftKey && !isEmbedded && isNowhere())
        return beginRows(list.current, event)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list])
  return { onRowKey: moveBetweenRows }
}

const rowOf = (target: EventTarget | null) => (target instanceof HTMLElement ? target.closest('[data-row]') : null)

/** No particular element has the focus, only the page or the screen as a whole. */
const isNowhere = () => document.activeElement === document.body || document.activeElement?.id === 'main'

/**
 * The first row fully in view, so that nothing scrolls. Without one, the user reads something else, and the key
 * scrolls as usual.
 */
function beginRows(list: HTMLElement | null, event: globalThis.KeyboardEvent) {
  const frame = list?.querySelector('[data-virtual]')?.getBoundingClientRect()
  // Its cells stick to the top; the head itself scrolls away.
  const head = list?.querySelector('thead th')?.getBoundingClientRect()
  const top = Math.max(document.querySelector('header')?.getBoundingClientRect().bottom ?? 0, head?.bottom ?? 0)
  const bottom = Math.min(window.innerHeight, frame?.bottom ?? window.innerHeight)
  const inView = [...(list?.querySelectorAll<HTMLElement>('[data-row][tabindex]') ?? [])].find((row) => {
    const box = row.getBoundingClientRect()
    return box.top >= top && box.bottom <= bottom
  })
  if (!inView) return
  event.preventDefault()
  inView.focus({ preventScroll: true })
}

/** Arrows scroll again. */
function leaveRows() {
  ;(document.activeElement as HTMLElement | null)?.blur()
}

/** Arrow keys within a list of focusable rows. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = steps[event.key]
  if (!step || isTyping(event.target)) return
  const current = (event.target as HTMLElement).closest('[data-row]')
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = rows[rows.indexOf(current as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
