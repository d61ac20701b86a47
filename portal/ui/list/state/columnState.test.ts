import { expect, test } from 'vitest'
import {
  arrange,
  boundWidth,
  headersToSave,
  isSameChoice,
  isShownIn,
  moved,
  resized,
  toggled,
  widthsOf,
} from './columnState.ts'

const name = { id: 'name', isFixed: true }
const state = { id: 'state' }
const group = { id: 'group', isHidden: true }
const sold = { id: 'sold', width: 90 }
const columns = [name, state, group, sold]
const all = arrange(columns, [])
const idsOf = (headers: readonly { id: string }[]) => headers.map(({ id }) => id).join(' ')
const shownOf = (headers: typeof all) =>
  columns
    .filter((column) =>
      isShownIn(
        headers.find(({ id }) => id === column.id),
        column,
      ),
    )
    .map(({ id }) => id)
    .join(' ')

test("without a saved choice the list's own columns apply, and nothing is saved", () => {
  expect(idsOf(all)).toBe('name state group sold')
  expect(shownOf(all)).toBe('name state sold')
  expect(headersToSave(columns, all)).toEqual([])
  expect(widthsOf(columns, all)).toBeUndefined()
})

test('a column is shown and hidden; a fixed one cannot be hidden', () => {
  expect(shownOf(toggled(all, state))).toBe('name sold')
  expect(shownOf(toggled(all, group))).toBe('name state group sold')
  expect(headersToSave(columns, toggled(toggled(all, state), state))).toEqual([])
  expect(shownOf([{ id: 'name', isShown: false, width: null }])).toContain('name')
})

test('columns that the list shows or hides automatically are not fixed by another choice', () => {
  const saved = headersToSave(columns, moved(all, 'sold', 'state'))
  const shownByList = { id: 'group', isHidden: false }
  expect(
    isShownIn(
      saved.find(({ id }) => id === 'group'),
      shownByList,
    ),
  ).toBe(true)
})

test('a column moves before another, or to the end', () => {
  expect(idsOf(moved(all, 'sold', 'name'))).toBe('sold name state group')
  expect(idsOf(moved(all, 'name', undefined))).toBe('state group sold name')
  expect(idsOf(moved(all, 'name', 'name'))).toBe('name state group sold')
  expect(idsOf(moved(all, 'nothing', 'name'))).toBe('name state group sold')
  expect(headersToSave(columns, moved(moved(all, 'sold', 'name'), 'sold', undefined))).toEqual([])
})

test('a new column follows the column before it, and an absent one keeps its place', () => {
  const saved = moved(all, 'sold', 'name').filter(({ id }) => id !== 'group')
  expect(idsOf(arrange(columns, saved))).toBe('sold name state group')
  const first = { id: 'first' }
  expect(idsOf(arrange([first, ...columns], saved))).toBe('first sold name state group')
  const without = columns.filter(({ id }) => id !== 'name')
  const headers = arrange(without, saved)
  expect(idsOf(headersToSave(without, moved(headers, 'state', 'sold')))).toBe('state sold name group')
})

test('unknown columns move nothing', () => {
  const strange = [{ id: 'exploded', isShown: true, width: 300 }]
  expect(widthsOf(columns, arrange(columns, strange))).toBeUndefined()
  expect(shownOf(arrange(columns, strange))).toBe('name state sold')
})

test('once a column has a width they all have one', () => {
  const saved = resized(all, new Map([['name', 240.4]]))
  expect(widthsOf([name, state, sold], saved)).toEqual(
    new Map([
      ['name', 240],
      ['state', 150],
      ['sold', 90],
    ]),
  )
  expect([boundWidth(-5), boundWidth(1e9)]).toEqual([60, 1_000])
})

test('two choices are equal if they show the same columns in the same order', () => {
  const wide = resized(all, new Map([['name', 400]]))
  expect(isSameChoice(columns, [], wide)).toBe(true)
  expect(isSameChoice(columns, [], toggled(all, state))).toBe(false)
  expect(isSameChoice(columns, all, moved(all, 'sold', 'name'))).toBe(false)
})
