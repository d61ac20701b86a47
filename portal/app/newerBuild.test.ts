import { expect, test } from 'vitest'
import { isOtherBuild, shouldReload } from './newerBuild.ts'

test('a page with a missing part is reloaded once, and not again at once', () => {
  const now = Date.now()
  expect(shouldReload(Number.NaN, now)).toBe(true)
  expect(shouldReload(now - 1000, now)).toBe(false)
  expect(shouldReload(now - 120_000, now)).toBe(true)
})

test('a page with another script is another build', () => {
  const html = '<script type="module" crossorigin src="/assets/index-AAA.js"></script>'
  expect(isOtherBuild(html, '/assets/index-AAA.js')).toBe(false)
  expect(isOtherBuild(html, '/assets/index-BBB.js')).toBe(true)
})
