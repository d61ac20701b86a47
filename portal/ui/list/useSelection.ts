import { useCallback, useMemo, useState } from 'react'
import { mostSelected } from '#contract/frame/selection.ts'

interface State<T> {
  /** Single rows by key. */
  rows: ReadonlyMap<string, T>
  /** In place of single rows: all matching rows, with exceptions. */
  matching: { total: number; except: ReadonlySet<string> } | undefined
}

const nothing = { rows: new Map<string, never>(), matching: undefined }

/** Selected rows by key, or all matching rows with exceptions; they stay selected on other pages. */
export function useSelection<T>(keyOf: (item: T) => string) {
  const [{ rows, matching }, setState] = useState<State<T>>(nothing)
  const set = useCallback(
    (items: readonly T[], isSelected: boolean) =>
      setState((before) => {
        if (before.matching) {
          const except = new Set(before.matching.except)
          for (const item of items) {
            if (isSelected) except.delete(keyOf(item))
            else if (except.size < mostSelected) except.add(keyOf(item))
          }
          return except.size < before.matching.total ? { ...before, matching: { ...before.matching, except } } : nothing
        }
        const after = new Map(before.rows)
        for (const item of items) {
          if (!isSelected) after.delete(keyOf(item))
          else if (after.size < mostSelected) after.set(keyOf(item), item)
        }
        return { rows: after, matching: undefined }
      }),
    [keyOf],
  )
  const clear = useCallback(() => setState(nothing), [])
  const selectMatching = useCallback(
    (total: number) => setState({ rows: new Map(), matching: { total, except: new Set() } }),
    [],
  )
  return useMemo(
    () => ({
      items: [...rows.values()],
      matching,
      count: matching ? matching.total - matching.except.size : rows.size,
      has: (item: T) => (matching ? !matching.except.has(keyOf(item)) : rows.has(keyOf(item))),
      set,
      clear,
      selectMatching,
    }),
    [rows, matching, set, clear, selectMatching, keyOf],
  )
}
export type Selection<T> = ReturnType<typeof useSelection<T>>
