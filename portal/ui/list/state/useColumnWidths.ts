import { type HTMLAttributes, type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from 'react'
import type { Column } from '../types.ts'
import { boundWidth, usualWidth } from './columnState.ts'

type Widths = ReadonlyMap<string, number>

interface Options {
  table: RefObject<HTMLTableElement | null>
  columns: readonly Pick<Column<never>, 'id' | 'width'>[]
  /** As set by the user, in pixels; undefined while the table sizes columns by content. */
  saved: Widths | undefined
  save: (widths: Widths) => void
}

const step = 16

/** The current widths of the column headings, in pixels. */
export function headWidths(table: HTMLTableElement | null, columns: readonly { id: string }[]): Widths {
  const heads = [...(table?.tHead?.rows[0]?.cells ?? [])].slice(-columns.length)
  return new Map(columns.map(({ id }, index) => [id, heads[index]?.getBoundingClientRect().width ?? 0]))
}

/**
 * Widths that the user sets. The last column takes the rest of the screen, so that the edge under the pointer follows
 * it and no other column changes.
 */
export function useColumnWidths({ table, columns, saved, save }: Options) {
  const [drag, setDrag] = useState<{ id: string; from: number; start: Widths; now: Widths }>()
  // The dragged widths stay until they are the saved ones.
  // oxlint-disable-next-line react/exhaustive-deps -- ends with what was saved
  useEffect(() => setDrag(undefined), [saved])
  const widths = drag?.now ?? saved

  const measured = () => headWidths(table.current, columns)
  const widened = (start: Widths, id: string, by: number) =>
    new Map(start).set(id, boundWidth((start.get(id) ?? 0) + by))

  const edgeOf = (id: string): HTMLAttributes<HTMLElement> & { 'aria-valuenow': number; 'data-dragged': boolean } => ({
    'aria-valuenow': Math.round(widths?.get(id) ?? columns.find((column) => column.id === id)?.width ?? usualWidth),
    'data-dragged': drag?.id === id,
    onFocus: ({ currentTarget }) => {
      if (!widths) currentTarget.setAttribute('aria-valuenow', String(Math.round(measured().get(id) ?? 0)))
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const start = saved ?? measured()
      setDrag({ id, from: event.clientX, start, now: start })
    },
    onPointerMove: ({ currentTarget, pointerId, clientX }: PointerEvent<HTMLElement>) => {
      if (drag && currentTarget.hasPointerCapture(pointerId))
        setDrag({ ...drag, now: widened(drag.start, id, clientX - drag.from) })
    },
    onPointerUp: () => {
      if (drag && drag.now !== drag.start) save(drag.now)
      else setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const by = { ArrowRight: step, ArrowLeft: -step }[event.key]
      if (!by) return
      event.preventDefault()
      event.stopPropagation()
      save(widened(saved ?? measured(), id, by))
    },
  })

  const last = columns.at(-1)?.id
  const layout = widths && {
    of: (id: string) => (id === last ? undefined : widths.get(id)),
    least: columns.reduce((sum, { id }) => sum + (widths.get(id) ?? 0), 0),
  }
  return { layout, edgeOf }
}
