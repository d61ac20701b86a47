import { useCallback, useLayoutEffect, useRef, useState } from 'react'

/** In pixels, as in the stylesheet. */
export const rowHeight = 36
/** Rows drawn beyond the view. */
const spare = 8

/** The rows of the grid in view; other rows are not in the page. */
export function useRowsInView(count: number) {
  const element = useRef<HTMLDivElement>(null)
  const [{ top, height }, setView] = useState({ top: 0, height: 600 })
  const onScroll = useCallback(() => {
    const box = element.current
    if (box) setView({ top: box.scrollTop, height: box.clientHeight })
  }, [])
  useLayoutEffect(onScroll, [onScroll])
  const reveal = useCallback((row: number) => {
    const box = element.current
    if (!box) return
    const above = row * rowHeight
    const below = (row + 2) * rowHeight - box.clientHeight
    if (box.scrollTop > above) box.scrollTop = above
    else if (box.scrollTop < below) box.scrollTop = below
  }, [])
  const page = Math.max(1, Math.floor(height / rowHeight) - 2)
  const first = Math.max(0, Math.floor(top / rowHeight) - spare)
  return { element, view: { first, last: Math.min(count - 1, first + page + 2 * spare) }, page, onScroll, reveal }
}
export type RowsInView = ReturnType<typeof useRowsInView>
