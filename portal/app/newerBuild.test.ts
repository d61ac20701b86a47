import { expect, test } from 'vitest'
import { shouldReload } from './newerBuild.ts'

test('a page that lacks a part is loaded anew once, and not again at once', () => {
  const now = Date.now()
  expect(shouldReload(Number.NaN, now)).toBe(true)
  expect(shouldReload(now - 1000, now)).toBe(false)
  expect(shouldReload(now - 120_000, now)).toBe(true)
})
