import type { PageOf } from '../rows/useRows.ts'

/** Rows that are fetched at once, and at most: where counting stops, drawing does. */
const perPage = 500
const most = 10_000

export type Ask<T> = (query: Record<string, unknown>) => Promise<PageOf<T>>

/** All matching rows, whatever page is shown. Lists with cursors are read by them, so that each page costs the same. */
export async function allMatching<T>(
  ask: Ask<T>,
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
