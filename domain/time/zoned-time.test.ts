import { expect, test } from 'vitest'
import { momentsAt, readDay, readTime, wallAt, writeOffset } from './zoned-time.ts'

const at = (day: string, time: string, zone: string) =>
  momentsAt(day, time, zone)?.map((moment) => moment.toISOString())

test('a wall clock’s time is one moment in its zone', () => {
  expect(at('2026-11-21', '14:30', 'Europe/Rome')).toEqual(['2026-11-21T13:30:00.000Z'])
  expect(at('2026-11-21', '14:30', 'America/Mexico_City')).toEqual(['2026-11-21T20:30:00.000Z'])
})

test('a skipped local time does not exist, a repeated one happens twice', () => {
  expect(at('2026-03-29', '02:30', 'Europe/Rome')).toEqual([])
  expect(at('2026-03-29', '03:00', 'Europe/Rome')).toEqual(['2026-03-29T01:00:00.000Z'])
  expect(at('2026-10-25', '02:30', 'Europe/Rome')).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'])
  expect(at('2026-10-25', '03:00', 'Europe/Rome')).toEqual(['2026-10-25T02:00:00.000Z'])
  expect(at('2026-10-04', '02:15', 'Australia/Lord_Howe')).toEqual([])
})

test('an invalid day or time has no instants', () => {
  expect([
    momentsAt('2026-02-30', '10:00', 'UTC'),
    momentsAt('2026-02-03', '24:00', 'UTC'),
    momentsAt('', '', 'UTC'),
  ]).toEqual([undefined, undefined, undefined])
})

test('a moment is shown as wall-clock time with its offset', () => {
  const [first = new Date(0), second = new Date(0)] = momentsAt('2026-10-25', '02:30', 'Europe/Rome') ?? []
  for (const moment of [first, second])
    expect(wallAt(moment, 'Europe/Rome')).toEqual({ day: '2026-10-25', time: '02:30' })
  expect([writeOffset(first, 'Europe/Rome'), writeOffset(second, 'Europe/Rome')]).toEqual(['UTC+02:00', 'UTC+01:00'])
  expect(writeOffset(first, 'America/St_Johns')).toBe('UTC\u221202:30')
})

test.each([
  ['14:30', '14:30'],
  ['14.30', '14:30'],
  ['1430', '14:30'],
  ['9', '09:00'],
  ['930', '09:30'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['', undefined],
])('the time %j is %s', (text, time) => expect(readTime(text)).toBe(time))

test.each([
  ['21/11/2026', '2026-11-21'],
  ['1.2.26', '2026-02-01'],
  ['21-11-2026', '2026-11-21'],
  ['2026-11-21', '2026-11-21'],
  ['31/2/2026', undefined],
  ['11/21/2026', undefined],
  ['today', undefined],
  ['', undefined],
])('the day %j is %s', (text, day) => expect(readDay(text)).toBe(day))
