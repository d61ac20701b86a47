import { expect, test } from 'vitest'
import { stretchText, weekOf } from './weekOf.ts'

const texts = (week: ReturnType<typeof weekOf>) => week.map((day) => day.map(stretchText).join(' '))

test('a window that crosses midnight reaches into the next day, also from Sunday to Monday', () => {
  expect(texts(weekOf([{ days: [2, 7], from: '22:00', to: '06:00' }]))).toEqual([
    '00:00–06:00',
    '22:00–24:00',
    '00:00–06:00',
    '',
    '',
    '',
    '22:00–24:00',
  ])
})

test('windows that overlap or touch are one interval', () => {
  const windows = [
    { days: [1], from: '10:00', to: '13:00' },
    { days: [1], from: '08:00', to: '10:00' },
    { days: [1], from: '12:00', to: '12:30' },
  ]
  expect(texts(weekOf(windows))[0]).toBe('08:00–13:00')
})

test('whole days, and windows without an end', () => {
  const windows = [
    { days: [6], from: '00:00', to: '00:00' },
    { days: [1], from: '08:00', to: '' },
  ]
  expect(texts(weekOf(windows))).toEqual(['', '', '', '', '', '00:00–24:00', ''])
})
