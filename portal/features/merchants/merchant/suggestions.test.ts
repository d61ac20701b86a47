import { expect, test } from 'vitest'
import { isTimeZone } from '#contract/rules/time-zone.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { suggestionsFor } from './suggestions.ts'

test('a country suggests language, currency and time zone', () => {
  expect(suggestionsFor('MX')).toEqual({ language: 'es', currency: 'MXN', timeZone: 'America/Mexico_City' })
  expect(suggestionsFor('IT')).toEqual({ language: 'it', currency: 'EUR', timeZone: 'Europe/Rome' })
  expect(suggestionsFor('JP')).toMatchObject({ language: '', currency: 'EUR' })
})

test('suggested values are always valid', () => {
  const zones = countries.map((country) => suggestionsFor(country).timeZone).filter((zone) => zone !== '')
  expect(zones.length).toBeGreaterThan(100)
  expect(zones.filter((zone) => !isTimeZone(zone))).toEqual([])
})
