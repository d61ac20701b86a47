import { expect, test } from 'vitest'
import { mergePlanograms, type Planned, takePlanogram } from './planogram-merge.ts'

const line = (selection: string, capacity = 10) => ({
  selection,
  productId: null,
  capacity,
  warningLevel: 2,
  refillValue: 5,
  prices: {},
})
const planned = (...lines: ReturnType<typeof line>[]): Planned => ({
  name: 'Hall',
  description: null,
  planogramType: 'B',
  lines,
})
const capacities = ({ lines }: Planned) => lines.map(({ selection, capacity }) => `${selection}:${capacity}`)
const base = planned(line('1'), line('2'), line('3'))

test('changes of different selections are merged', () => {
  const edited = { ...planned(line('1', 11), line('2'), line('3')), name: 'Lobby' }
  const current = planned(line('1'), line('2', 12), line('4'))
  const { merged, conflicts, theirs: joined } = mergePlanograms(base, edited, current)
  expect(conflicts).toEqual([])
  expect(capacities(merged)).toEqual(['1:11', '2:12', '4:10'])
  expect(merged.name).toBe('Lobby')
  expect(joined.toSorted()).toEqual(['line 2', 'line 3', 'line 4'])
})

test('added selections follow the selection that they were added after', () => {
  const edited = planned(line('1'), line('1a'), line('2'), line('3'))
  const current = planned(line('1'), line('2'), line('2a'), line('3'))
  expect(capacities(mergePlanograms(base, edited, current).merged)).toEqual(['1:10', '1a:10', '2:10', '2a:10', '3:10'])
})

test('an order that one user changed is kept', () => {
  const moved = planned(line('3'), line('1'), line('2'))
  const edited = planned(line('1'), line('2', 20), line('3'))
  for (const [one, other] of [
    [moved, edited],
    [edited, moved],
  ] as const)
    expect(capacities(mergePlanograms(base, one, other).merged)).toEqual(['3:10', '1:10', '2:20'])
})

test('a selection that both changed needs a choice, also when one of them removed it', () => {
  const edited = planned(line('1', 11), line('3'))
  const current = planned(line('1', 12), line('2', 13), line('3'))
  const { merged, conflicts } = mergePlanograms(base, edited, current)
  expect(conflicts.map(({ field }) => field)).toEqual(['line 1', 'line 2'])
  expect(capacities(merged)).toEqual(['1:11', '3:10'])
  expect(capacities(takePlanogram(merged, conflicts))).toEqual(['1:12', '3:10', '2:13'])
  const [first] = mergePlanograms(base, current, edited).conflicts.filter(({ field }) => field === 'line 2')
  expect(capacities(takePlanogram(current, first ? [first] : []))).toEqual(['1:12', '3:10'])
})
