import fc from 'fast-check'
import { expect, test } from 'vitest'
import { companionAt, companionKey, companionOf, isCompanionNeeded } from './companion.ts'

const hour = 3_600_000
const day = 24 * hour
const now = new Date('2026-11-27T10:15:00.123Z')
const ago = (millis: number) => new Date(now.getTime() - millis)
const version = (millis: number, name = 'accounts.json') => ({ name, savedAt: ago(millis) })

test('the version of a moment is the last before it, or else the first', () => {
  const versions = [version(2 * hour), version(3 * hour), version(hour)]
  expect(companionAt(versions)).toEqual(version(hour))
  expect(companionAt(versions, ago(1.5 * hour))).toEqual(version(2 * hour))
  expect(companionAt(versions, ago(day))).toEqual(version(3 * hour))
  expect(companionAt([], now)).toBeUndefined()
})

test('a place says name and moment of its version', () => {
  expect(companionKey(version(0))).toBe('accounts.json/20261127T101500123Z')
  expect(companionOf(companionKey(version(0)))).toEqual(version(0))
  expect(companionOf('accounts.json')).toBeUndefined()
})

test('after pruning each moment has its version, and of hours long ago the last', () => {
  const since = ago(14 * day)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 20 * day }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 14 * day }),
      (times, moment) => {
        const versions = times.map((millis) => version(millis))
        const kept = versions.filter((one) => isCompanionNeeded(one, versions, { since, now }))
        const at = ago(moment)
        const found = companionAt(kept, at)
        if (moment < day - hour) expect(found).toEqual(companionAt(versions, at))
        const startOfHour = Math.floor(at.getTime() / hour) * hour
        const before = versions.filter(({ savedAt }) => savedAt.getTime() < startOfHour)
        // Of a moment long ago the version of the hour before it at least.
        if (before.length > 0) {
          expect(found?.savedAt.getTime()).toBeGreaterThanOrEqual(companionAt(before)?.savedAt.getTime() ?? 0)
          expect(found?.savedAt.getTime()).toBeLessThanOrEqual(at.getTime())
        }
        expect(kept).toContainEqual(companionAt(versions))
        const hours = kept
          .filter(({ savedAt }) => savedAt < ago(day + hour))
          .map(({ savedAt }) => Math.floor(savedAt.getTime() / hour))
        expect(new Set(hours).size).toBe(hours.length)
      },
    ),
  )
})

test('versions of another file keep nothing', () => {
  const versions = [version(20 * day), version(15 * day, 'other.json'), version(hour)]
  const kept = versions.filter((one) => isCompanionNeeded(one, versions, { since: ago(14 * day), now }))
  expect(kept).toEqual(versions)
})
