import { expect, test } from 'vitest'
import { sources } from './sources.ts'

const limit = 450

test(`a file of over ${limit} lines says at its top why it is one file`, () => {
  const all = sources()
  expect(all.length).toBeGreaterThan(100)
  const long = all.filter(({ text }) => text.trimEnd().split('\n').length > limit)
  const silent = long.filter(({ text }) => !/^\/\/ Over 450 lines because \S/.test(text))
  expect(silent.map(({ path, text }) => `${path}: ${text.trimEnd().split('\n').length} lines`)).toEqual([])
})
