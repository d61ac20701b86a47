import { expect, test } from 'vitest'
import { sources } from './sources.ts'

test('dates and numbers are written in the locale of a language, in which English and Portuguese are European', () => {
  const written = sources().filter(({ path }) => /^(server|portal)\//.test(path))
  expect(written.length).toBeGreaterThan(100)
  const american = written.flatMap(({ path, text }) =>
    [...text.matchAll(/Intl\.(?:DateTimeFormat|NumberFormat)\((?:i18n\.)?language\b/g)].map(
      ({ index }) => `${path}:${text.slice(0, index).split('\n').length}`,
    ),
  )
  expect(american).toEqual([])
})
