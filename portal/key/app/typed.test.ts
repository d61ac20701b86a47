import { afterEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
vi.stubGlobal('window', { location: new URL('https://portal.example/key/duomo/'), parent: undefined })
const { forgetTyped, keepTyped, typedIn } = await import('./typed.ts')

afterEach(() => {
  forgetTyped()
  vi.useRealTimers()
})

test('what was typed into a form is there again for its customer only', () => {
  keepTyped('claim M1', 'medium 1', { text: 'No coffee' })
  expect(typedIn('claim M1', ['medium 2', 'medium 1'])).toEqual({ text: 'No coffee' })
  expect(typedIn('claim M1', ['medium 2'])).toEqual({})
  expect(typedIn('claim M2', ['medium 1'])).toEqual({})
})

test('a sent form, a sign-out or a day later forgets it', () => {
  vi.useFakeTimers()
  keepTyped('claim M1', 'medium 1', { text: 'No coffee' })
  vi.advanceTimersByTime(25 * 3_600_000)
  expect(typedIn('claim M1', ['medium 1'])).toEqual({})
  keepTyped('claim M1', 'medium 1', { text: 'No coffee' })
  forgetTyped()
  expect(typedIn('claim M1', ['medium 1'])).toEqual({})
})
