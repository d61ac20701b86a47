import { expect, test } from 'vitest'
import { isId, manyOf, oneOf, readSearch, writeSearch } from './search.ts'

test('a list repeats its name', () => {
  const search = readSearch('?states=blocked&states=silent&page=2')
  expect(manyOf(search, 'states')).toEqual(['blocked', 'silent'])
  expect(manyOf(search, 'page')).toEqual(['2'])
  expect(oneOf(search, 'states')).toBe('blocked')
  expect(writeSearch(search)).toBe('?states=blocked&states=silent&page=2')
})

test('values are texts, never objects, in any notation', () => {
  expect(readSearch('?a={"b":1}&c=null&d=true')).toEqual({ a: '{"b":1}', c: 'null', d: 'true' })
})

test('a hostile address is reduced to its valid parts', () => {
  const search = readSearch(
    `?__proto__=x&constructor.prototype=y&long=${'x'.repeat(10_000)}&<script>=1&ok=<script>&empty=`,
  )
  expect(search).toEqual({ 'constructor.prototype': 'y', ok: '<script>' })
  expect(({} as Record<string, unknown>).x).toBeUndefined()
  expect(manyOf(readSearch(`?${'a=1&'.repeat(2000)}`), 'a')).toHaveLength(500)
})

test('a value that a database cannot store is dropped, and an id is a UUID', () => {
  expect(readSearch('?a=x%00y&b=1')).toEqual({ b: '1' })
  expect(isId('019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10')).toBe(true)
  for (const text of ['', '1', '__proto__', '<script>', '019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10/..', '-'.repeat(36)])
    expect(isId(text)).toBe(false)
})
