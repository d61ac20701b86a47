import { expect, test } from 'vitest'
import { writeLasting } from './lasting.ts'

const now = new Date('2026-11-21T08:00:00Z')
const ago = (minutes: number) => writeLasting(new Date(now.getTime() - minutes * 60_000), now, 'en')

test('a duration is shown in its largest whole unit', () => {
  expect([ago(1), ago(32), ago(60), ago(150), ago(60 * 24 * 3 + 5)]).toEqual([
    '1 min',
    '32 mins',
    '1 hr',
    '2 hrs',
    '3 days',
  ])
})

test('a duration of under a minute or with a start in the future is empty', () => {
  expect([ago(0.5), ago(-5)]).toEqual([undefined, undefined])
})

test('units are the language’s own', () => {
  expect(writeLasting(new Date('2026-11-21T05:00:00Z'), now, 'de')).toBe('3 Std.')
})
