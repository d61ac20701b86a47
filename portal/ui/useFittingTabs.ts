import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** What the button beside the tabs takes, in pixels. */
const buttonWidth = 110
/** On a phone the row scrolls under the finger instead. */
const narrow = '(max-width: 599.98px)'

/**
 * Which of a row's tabs fit into it, by their numbers; the one that is open always does. Looked at again when the row's width, its
 * tabs (`key`) or the open one change.
 */
export function useFittingTabs(row: RefObject<HTMLElement | null>, key: string): ReadonlySet<number> | 'all' {
  const [fitting, setFitting] = useState<ReadonlySet<number> | 'all'>('all')
  const widths = useRef<number[]>([])
  // oxlint-disable-next-line react/exhaustive-deps -- looked at again when what `key` speaks of changes
  useLayoutEffect(() => {
    const nav = row.current
    if (!nav) return
    const look = () => {
      const tabs = [...nav.querySelectorAll<HTMLElement>(':scope > a')]
      // What is not shown has no width; it keeps the one it had.
      tabs.forEach((tab, at) => {
        if (tab.offsetWidth > 0) widths.current[at] = tab.offsetWidth
      })
      const gap = Number.parseFloat(getComputedStyle(nav).columnGap) || 0
      const widthOf = (at: number) => (widths.current[at] ?? 0) + gap
      const all = tabs.reduce((sum, _, at) => sum + widthOf(at), -gap)
      if (all <= nav.clientWidth || matchMedia(narrow).matches) return setFitting('all')
      const open = tabs.findIndex((tab) => tab.getAttribute('aria-current') === 'page')
      let left = nav.clientWidth - buttonWidth - (open < 0 ? 0 : widthOf(open))
      const shown = new Set(open < 0 ? [] : [open])
      for (let at = 0; at < tabs.length; at += 1) {
        if (at === open) continue
        left -= widthOf(at)
        if (left < 0) break
        shown.add(at)
      }
      setFitting((before) =>
        before !== 'all' && before.size === shown.size && [...shown].every((at) => before.has(at)) ? before : shown,
      )
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(nav)
    return () => observer.disconnect()
  }, [row, key])
  return fitting
}
