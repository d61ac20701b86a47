/** A value with the key of its order; the key is read only where several sources are merged. */
export interface Sorted<T> {
  value: T
  key: () => string
}

interface Head<T> {
  value: T
  key: string
  source: AsyncIterator<Sorted<T>>
}

/** The values of several sorted sources in order. Reads one value of each source ahead. */
export async function* mergeSorted<T>(sources: readonly AsyncGenerator<Sorted<T>>[]): AsyncGenerator<T> {
  const heads: { first: Sorted<T>; source: AsyncGenerator<Sorted<T>> }[] = []
  try {
    for (const source of sources) {
      const { value, done } = await source.next()
      if (!done) heads.push({ first: value, source })
    }
    const merged: Head<T>[] =
      heads.length > 1 ? heads.map(({ first, source }) => ({ value: first.value, key: first.key(), source })) : []
    while (merged.length > 0) {
      const least = merged.reduce((one, other) => (other.key < one.key ? other : one))
      yield least.value
      const { value, done } = await least.source.next()
      if (done) merged.splice(merged.indexOf(least), 1)
      else Object.assign(least, { value: value.value, key: value.key() })
    }
    const [only] = heads
    if (heads.length === 1 && only) {
      yield only.first.value
      for await (const { value } of only.source) yield value
    }
  } finally {
    for (const source of sources) await source.return(undefined)
  }
}
