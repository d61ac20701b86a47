import { expect, test } from 'vitest'
import { readMoment } from './moment.ts'

test.each([
  ['20260314', '093015', '2026-03-14T09:30:15'],
  ['20260314', '0930', '2026-03-14T09:30:00'],
  ['260314', '0930', '2026-03-14T09:30:00'],
  ['980829', '1310', '1998-08-29T13:10:00'],
  ['20240229', null, '2024-02-29'],
  ['20260314', '930', '2026-03-14T09:30:00'],
])('%s %s is %s', (date, time, at) => {
  expect(readMoment(date, time)).toEqual({ at, isUnreadable: false })
})

test('a clock that was never set gives no time', () => {
  expect(readMoment(null, '0930')).toEqual({ at: null, isUnreadable: false })
  expect(readMoment('000000', '0000')).toEqual({ at: null, isUnreadable: false })
})

test('a day or a time that does not exist is unreadable', () => {
  expect(readMoment('20250229', '0930')).toEqual({ at: null, isUnreadable: true })
  expect(readMoment('14.03.26', null)).toEqual({ at: null, isUnreadable: true })
  expect(readMoment('20260314', '2561')).toEqual({ at: '2026-03-14', isUnreadable: true })
})
