import { expect, test } from 'vitest'
import { allMatching } from './matching.ts'

const rows = Array.from({ length: 1203 }, (_, index) => index)

test('a chart has all matching rows, not only those of the current page', async () => {
  const queries: unknown[] = []
  const allRows = await allMatching(
    async (query) => {
      queries.push(query)
      const begin = (Number(query.page) - 1) * Number(query.size)
      return { items: rows.slice(begin, begin + Number(query.size)), total: rows.length, capped: false }
    },
    { page: 7, size: 20, ord: 'name', search: 'lobby' },
  )
  expect(allRows).toEqual(rows)
  expect(queries).toEqual([1, 2, 3].map((page) => ({ page, size: 500, ord: 'name', search: 'lobby' })))
})

test('a list with cursors is read through them', async () => {
  const queries: unknown[] = []
  await allMatching(
    async ({ cursor }) => {
      queries.push(cursor)
      const isLast = cursor === 'b'
      return { items: rows.slice(0, isLast ? 3 : 500), total: 10_000, capped: true, next: cursor ? 'b' : 'a' }
    },
    { cursor: 'of the page shown' },
  )
  expect(queries).toEqual([undefined, 'a', 'b'])
})
