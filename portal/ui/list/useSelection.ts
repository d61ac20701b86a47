import { useCallback, useMemo, useState } from 'react'

/** Selected rows by key; they stay selected when the reader goes to another page. */
export function useSelection<T>(keyOf: (item: T) => string) {
  const [selected, setSelected] = useState<ReadonlyMap<string, T>>(new Map())
  const set = useCallback(
    (items: readonly T[], isSelected: boolean) =>
      setSelected((before) => {
        const after = new Map(before)
        for (const item of items) {
          if (isSelected) after.set(keyOf(item), item)
          else after.delete(keyOf(item))
        }
        return after
      }),
    [keyOf],
  )
  const clear = useCallback(() => setSelected(new Map()), [])
  return useMemo(
    () => ({ selected, items: [...selected.values()], has: (item: T) => selected.has(keyOf(item)), set, clear }),
    [selected, set, clear, keyOf],
  )
}
export type Selection<T> = ReturnType<typeof useSelection<T>>
