import { expect, test } from 'vitest'
import { readingStep } from './reading-step.ts'

const at = (text: string) => Date.parse(`${text}Z`)

test('a series has at most the requested points, at the shortest allowed step', () => {
  expect(readingStep(at('2026-11-21T00:00'), at('2026-11-21T02:00'), 120)).toBe(60)
  expect(readingStep(at('2026-11-21T00:00'), at('2026-11-21T02:01'), 120)).toBe(120)
  expect(readingStep(at('2026-11-21T00:00'), at('2026-11-28T00:00'), 400)).toBe(1800)
})

test('the longest step is a day, however long the stretch', () => {
  expect(readingStep(at('2016-01-01T00:00'), at('2026-01-01T00:00'), 100)).toBe(86_400)
})
