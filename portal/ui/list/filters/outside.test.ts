import { expect, test } from 'vitest'
import { outsideOf } from './outside.ts'

const rules = {
  ords: [],
  filters: [
    { key: 'search', kind: 'text' },
    { key: 'states', kind: 'multi' },
    { key: 'period', kind: 'period', initial: 'today' },
  ],
} as unknown as Parameters<typeof outsideOf>[0]
const listQuery = {
  search: 'CM-1042',
  states: ['blocked'],
  startDate: '2026-11-23',
  endDate: '2026-11-23',
  page: 3,
  size: 20,
}

test('the matches of a search outside the other filters are counted, and a click keeps only the search', () => {
  const filters = { search: ['CM-1042'], states: ['blocked'], period: ['today'] }
  expect(outsideOf(rules, filters, listQuery)).toEqual({
    search: 'CM-1042',
    query: { search: 'CM-1042', startDate: '2026-11-23', endDate: '2026-11-23', page: 1, size: 1 },
    filters: { search: ['CM-1042'], period: ['today'] },
  })
})

test('without a search, or with the search alone, nothing is counted outside', () => {
  expect(outsideOf(rules, { states: ['blocked'] }, listQuery)).toBeUndefined()
  expect(outsideOf(rules, { search: ['CM-1042'], period: ['today'] }, listQuery)).toBeUndefined()
})
