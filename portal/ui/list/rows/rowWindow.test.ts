import { expect, test, vi } from 'vitest'
import { makeView, pagesOfRows, placeOfRow } from './rowWindow.ts'
import { rowAfterKey, rowsToDraw } from './useVirtualRows.ts'

test('the fetched pages cover the rows in view, and a few around them', () => {
  expect(pagesOfRows(0, 12, 10_000)).toEqual([1])
  expect(pagesOfRows(130, 145, 10_000)).toEqual([1, 2])
  expect(pagesOfRows(190, 210, 10_000)).toEqual([1, 2])
  expect(pagesOfRows(300, 320, 10_000)).toEqual([2])
  expect(pagesOfRows(5_000, 5_020, 10_000)).toEqual([25, 26])
  expect(pagesOfRows(9_985, 9_999, 10_000)).toEqual([50])
})

test('no page beyond the last row is fetched, and the first page always is', () => {
  expect(pagesOfRows(150, 170, 180)).toEqual([1])
  expect(pagesOfRows(9_000, 9_020, 350)).toEqual([2])
  expect(pagesOfRows(0, 0, 0)).toEqual([1])
})

test('every row has its place on its page', () => {
  expect(placeOfRow(0)).toEqual({ page: 1, at: 0 })
  expect(placeOfRow(199)).toEqual({ page: 1, at: 199 })
  expect(placeOfRow(200)).toEqual({ page: 2, at: 0 })
  expect(placeOfRow(9_999)).toEqual({ page: 50, at: 199 })
})

test('keys move by one row, by the rows in view, and to both ends', () => {
  const to = (key: string, row: number) => rowAfterKey(key, row, 10_000, 12)
  expect(to('ArrowDown', 4)).toBe(5)
  expect(to('k', 4)).toBe(3)
  expect(to('PageDown', 4)).toBe(15)
  expect(to('PageUp', 4)).toBe(0)
  expect(to('End', 4)).toBe(9_999)
  expect(to('ArrowDown', 9_999)).toBe(9_999)
  expect(to('Home', 9_999)).toBe(0)
  expect(to('Enter', 4)).toBeUndefined()
})

test('the row with the focus stays in the page at any scroll position', () => {
  const range = { startIndex: 500, endIndex: 502, overscan: 1, count: 10_000 }
  expect(rowsToDraw(range, undefined)).toEqual([499, 500, 501, 502, 503])
  expect(rowsToDraw(range, 7)).toEqual([7, 499, 500, 501, 502, 503])
  expect(rowsToDraw(range, 501)).toEqual([499, 500, 501, 502, 503])
  expect(rowsToDraw(range, 10_000)).toEqual([499, 500, 501, 502, 503])
})

test('the range in view is reported only when it changes, and not after unsubscribing', () => {
  const view = makeView()
  const listener = vi.fn()
  const stop = view.subscribe(listener)
  view.show({ first: 3, last: 9 })
  view.show({ first: 3, last: 9 })
  expect(listener).toHaveBeenCalledTimes(1)
  expect(view.now()).toEqual({ first: 3, last: 9 })
  stop()
  view.show({ first: 4, last: 10 })
  expect(listener).toHaveBeenCalledTimes(1)
})
