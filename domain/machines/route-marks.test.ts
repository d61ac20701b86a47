import { expect, test } from 'vitest'
import { marksOfRoute } from './route-marks.ts'

const stop = (number: number, x: number, y = 0) => ({ number, name: `Stop ${number}`, x, y })

test('each stop of a route has its number', () => {
  expect(marksOfRoute([stop(1, 0), stop(2, 100)]).map(({ text, x }) => [text, x])).toEqual([
    ['1', 0],
    ['2', 100],
  ])
})

test('stops that would cover each other have one mark with their numbers and names', () => {
  const marks = marksOfRoute([stop(1, 0), stop(2, 5), stop(3, 200), stop(4, 9, 9), stop(5, 2)])
  expect(marks.map(({ text }) => text)).toEqual(['1–2, 4–5', '3'])
  expect(marks[0]?.name).toBe('1. Stop 1\n2. Stop 2\n4. Stop 4\n5. Stop 5')
})
