import { useMemo } from 'react'
import type { TableHeader } from '#contract/platform/table-state.ts'
import type { Column } from '../types.ts'
import { arrange, headersToSave, isShownIn, moved, resized, toggled, widthsOf } from './columnState.ts'

export type Columns<T> = ReturnType<typeof useColumns<T>>

/** The user's columns, and the actions that change them. `save` stores the choice. */
export function useColumns<T>(
  columns: readonly Column<T>[],
  saved: readonly TableHeader[],
  save: (headers: TableHeader[]) => void,
) {
  return useMemo(() => {
    const all = arrange(columns, saved)
    const ordered = all.flatMap(({ id }) => columns.find((column) => column.id === id) ?? [])
    const isShown = (column: Column<T>) =>
      isShownIn(
        all.find(({ id }) => id === column.id),
        column,
      )
    const visibleColumns = ordered.filter(isShown)
    const keep = (headers: TableHeader[]) => save(headersToSave(columns, headers))
    return {
      visibleColumns,
      /** All columns, in their order. */
      ordered,
      isShown,
      /** In pixels, by column; undefined while the table sizes them by content. */
      widths: widthsOf(visibleColumns, all),
      isChanged: headersToSave(columns, all).length > 0,
      toggle: (column: Column<T>) => keep(toggled(all, column)),
      /** Moves a column before another, or to the end. */
      move: (id: string, before: string | undefined) => keep(moved(all, id, before)),
      resize: (widths: ReadonlyMap<string, number>) => keep(resized(all, widths)),
      reset: () => save([]),
    }
  }, [columns, saved, save])
}
