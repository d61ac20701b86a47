import type { PageOf } from '../rows/useRows.ts'

/** Rows per request, and the maximum: the limit is that of counting. */
const perPage = 500
const most = 10_000

export type PageCall<T> = (query: Record<string, unknown>) => Promise<PageOf<T>>

/** All matching rows, on any page. Lists with cursors are read through them, so that each page costs the same. */
export async function allMatching<T>(
  ask: PageCall<T>,
  { page: _, size: __, cursor: ___, ...query }: Record<string, unknown>,
) {
  const items: T[] = []
  let next: Record<string, unknown> = { page: 1 }
  for (;;) {
    const page = await ask({ ...query, ...next, size: perPage })
    items.push(...page.items)
    if (page.items.length < perPage || items.length >= most) return items.slice(0, most)
    next = { page: Number(next.page) + 1, ...(page.next && { cursor: page.next }) }
  }
}
