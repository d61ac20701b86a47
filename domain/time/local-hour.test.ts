import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantsOf, offsetAt, startOfLocalHour } from './local-hour.ts'

const iso = (instant: number) => new Date(instant).toISOString()
const hourOf = (text: string, zone: string) => iso(startOfLocalHour(Date.parse(text), zone))
const instants = (text: string, zone: string) => instantsOf(Date.parse(`${text}Z`), zone).map(iso)

test.each([
  ['Europe/Rome', '2026-07-01T10:59:59.999Z', '2026-07-01T10:00:00.000Z'],
  ['Asia/Kolkata', '2026-07-01T10:29:59Z', '2026-07-01T09:30:00.000Z'],
  ['Asia/Kathmandu', '2026-07-01T10:14:00Z', '2026-07-01T09:15:00.000Z'],
  ['Pacific/Chatham', '2026-07-01T10:20:00Z', '2026-07-01T10:15:00.000Z'],
  ['America/Bogota', '2026-07-01T10:20:00Z', '2026-07-01T10:00:00.000Z'],
])('in %s the hour of %s began at %s', (zone, at, start) => {
  expect(hourOf(at, zone)).toBe(start)
})

test('the hour that Rome lives twice is two hours', () => {
  expect(hourOf('2026-10-25T00:30:00Z', 'Europe/Rome')).toBe('2026-10-25T00:00:00.000Z')
  expect(hourOf('2026-10-25T01:30:00Z', 'Europe/Rome')).toBe('2026-10-25T01:00:00.000Z')
})

test('where the clocks change by half an hour, the hours do not overlap', () => {
  // Lord Howe: at 15:00 UTC on 4 April 2026 two o'clock becomes half past one.
  expect(hourOf('2026-04-04T14:59:00Z', 'Australia/Lord_Howe')).toBe('2026-04-04T14:00:00.000Z')
  expect(hourOf('2026-04-04T15:10:00Z', 'Australia/Lord_Howe')).toBe('2026-04-04T15:00:00.000Z')
  expect(hourOf('2026-04-04T15:40:00Z', 'Australia/Lord_Howe')).toBe('2026-04-04T15:30:00.000Z')
  // At 15:30 UTC on 3 October two o'clock becomes half past two.
  expect(hourOf('2026-10-03T15:40:00Z', 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z')
})

test('a local time is one instant, two if it occurs twice, and the later reading if it is skipped', () => {
  expect(instants('2026-07-01T12:00:00', 'Europe/Rome')).toEqual(['2026-07-01T10:00:00.000Z'])
  expect(instants('2026-10-25T02:30:00', 'Europe/Rome')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ])
  expect(instants('2026-03-29T02:30:00', 'Europe/Rome')).toEqual(['2026-03-29T01:30:00.000Z'])
})

const someZone = fc.constantFrom(
  'Europe/Rome',
  'America/Bogota',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'UTC',
)
const someInstant = fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2035-01-01') })

test('an instant lies in its local hour, which is at most an hour long and begins on the same local day', () => {
  fc.assert(
    fc.property(someZone, someInstant, (zone, instant) => {
      const start = startOfLocalHour(instant, zone)
      expect(start).toBeLessThanOrEqual(instant)
      expect(instant - start).toBeLessThan(3_600_000)
      expect(startOfLocalHour(start, zone)).toBe(start)
      const day = (at: number) => Math.floor((at + offsetAt(at, zone)) / 86_400_000)
      expect(day(start)).toBe(day(instant))
    }),
  )
})

test('an instant is among the instants of its own local time', () => {
  fc.assert(
    fc.property(someZone, someInstant, (zone, instant) => {
      expect(instantsOf(instant + offsetAt(instant, zone), zone)).toContain(instant)
    }),
  )
})
