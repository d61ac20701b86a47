import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isLost } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '../../app/toast/toast.tsx'
import type { Undo } from '../../app/toast/undo.ts'
import type { GridColumn, ListEdit, RowEdit } from './types.ts'
import { earlierOf, type useGridEdits } from './useGridEdits.ts'

interface Options<T> {
  edits: ReturnType<typeof useGridEdits<T>>
  columns: readonly GridColumn<T>[]
  save: ListEdit<T>['save']
}

/** Saves a grid's changes; a save can be undone, row by row on its new version. */
export function useGridSave<T>({ edits, columns, save }: Options<T>) {
  const client = useQueryClient()
  const format = useFormat()
  const [isSaving, setSaving] = useState(false)
  const [hasLost, setLost] = useState(false)
  const counted = (count: number) => ({ count, number: format.number(count) })

  const takeBackOf = (earlier: readonly RowEdit<T>[]): Undo => ({
    act: async () => {
      const outcomes = await save(earlier)
      edits.replaceRows(outcomes.flatMap((outcome) => (outcome.kind === 'saved' ? [outcome.row] : [])))
      const unsavedCount = outcomes.filter(({ kind }) => kind !== 'saved').length
      if (unsavedCount > 0) toast.warning('editing:undo.rowsChanged', counted(unsavedCount))
      await client.invalidateQueries()
    },
    says: 'editing:undo.rows',
    values: counted(earlier.length),
  })

  const send = async (rowEdits: readonly RowEdit<T>[]) => {
    if (rowEdits.length === 0) return
    setSaving(true)
    setLost(false)
    try {
      const earlier: RowEdit<T>[] = []
      let refused = 0
      // A mergeable change by another user is saved on their version, once.
      for (let left = rowEdits, tries = 0; left.length > 0 && tries < 2; tries++) {
        const outcomes = await save(left)
        earlier.push(...earlierOf(left, outcomes, columns))
        refused += outcomes.filter(({ kind }) => kind === 'refused').length
        left = edits.settle(left, outcomes)
      }
      if (earlier.length > 0)
        toast.success('editing:grid.saved', counted(earlier.length), { undo: takeBackOf(earlier) })
      if (refused > 0) toast.warning('editing:grid.refused', counted(refused))
      await client.invalidateQueries()
    } catch (error) {
      if (isLost(error)) setLost(true)
      else toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  return {
    isSaving,
    hasLost,
    start: () => send(edits.edits()),
    decide: (key: string, otherFields: ReadonlySet<string>) => send(edits.decide(key, otherFields)),
  }
}
