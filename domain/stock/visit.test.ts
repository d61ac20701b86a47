import { expect, test } from 'vitest'
import { bookingsOf, faultsOfVisit } from './visit.ts'

const line = (with_: object) => ({ selection: '11', planned: 0, loaded: 0, waste: 0, counted: null, ...with_ })
const selections = [
  { selection: '11', capacity: 10, level: null },
  { selection: '12', capacity: null, level: null },
  { selection: '13', capacity: 10, level: 6 },
]
const faults = (with_: object) =>
  faultsOfVisit([line(with_)], selections).map(({ path, values }) => [path, values?.maxValue])

test('a visit names each selection that does not exist, and each number that does not fit', () => {
  expect(faults({ loaded: 10 })).toEqual([])
  expect(faults({ loaded: 11 })).toEqual([['lines.0.loaded', 10]])
  expect(faults({ counted: 11 })).toEqual([['lines.0.counted', 10]])
  expect(faults({ counted: 4, waste: 5 })).toEqual([['lines.0.waste', 4]])
  expect(faults({ counted: 4, waste: 1, loaded: 8 })).toEqual([['lines.0.loaded', 7]])
  expect(faults({ selection: '12', loaded: 500 })).toEqual([])
  expect(faults({ selection: '13', loaded: 5 })).toEqual([['lines.0.loaded', 4]])
  expect(faults({ selection: '13', waste: 7 })).toEqual([['lines.0.waste', 6]])
  expect(faults({ selection: '99', loaded: 1 })).toEqual([['lines.0.selection', undefined]])
  // Nothing happened to it: the planogram changed while the phone was offline.
  expect(faults({ selection: '99', planned: 3 })).toEqual([])
})

test('a visit books what was counted before waste and refill', () => {
  expect(bookingsOf([line({ counted: 2, waste: 1, loaded: 5 }), line({ selection: '12' })])).toEqual([
    { selection: '11', kind: 'correction', amount: 2 },
    { selection: '11', kind: 'waste', amount: 1 },
    { selection: '11', kind: 'refill', amount: 5 },
  ])
})
