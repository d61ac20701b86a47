import { type KeyboardEvent, useEffect, useRef } from 'react'
import { lastPageOf, type PageSize } from './listState.ts'

interface Options {
  page: { items: readonly unknown[]; total: number; capped: boolean; next?: string | null } | undefined
  state: { page: number; size: PageSize }
  goTo: (page: number) => void
  refresh: () => unknown
  clear: () => void
}

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && (target as HTMLInputElement).type !== 'checkbox'))

/** Keys of a list: `n` and `p` turn pages, `r` refreshes, Esc clears the selection, arrows go from row to row. */
export function useListKeys(options: Options) {
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (document.querySelector('[role=dialog], dialog[open]')) return
      const { page, state, goTo, refresh, clear } = latest.current
      const hasNext = page && (page.next || state.page < lastPageOf(page.total, state.size))
      if (event.key === 'n' && hasNext) goTo(state.page + 1)
      else if (event.key === 'p' && state.page > 1) goTo(state.page - 1)
      else if (event.key === 'r') refresh()
      else if (event.key === 'Escape') clear()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { onRowKey: moveBetweenRows }
}

/** Arrow keys within a list of focusable rows. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
  if (!step || isTyping(event.target)) return
  const current = (event.target as HTMLElement).closest('[data-row]')
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = rows[rows.indexOf(current as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
