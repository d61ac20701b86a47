interface Places<T> {
  count: number
  at: (index: number) => T | undefined
}

/** The rows from one to another by their keys, both included; undefined if some of them are not loaded. */
export function rangeOf<T>({ count, at }: Places<T>, keyOf: (item: T) => string, from: string, to: string) {
  const range: T[] = []
  let isInside = false
  for (let index = 0; index < count; index += 1) {
    const item = at(index)
    const key = item && keyOf(item)
    const isEnd = key === from || key === to
    if (!isInside && !isEnd) continue
    if (!item) return undefined
    range.push(item)
    if (isEnd && (isInside || from === to)) return range
    isInside = true
  }
  return undefined
}
