import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { emptied, namesOf } from './lean.ts'

test('an emptied module has the names of the full module, in every form of export', () => {
  const code = [
    'const inner = 1',
    'export const one = inner',
    'export function two() { return { three: 3 } }',
    'export class $Four {}',
    'export { one as five, two };',
    'export default function () {}',
  ].join('\n')
  expect(namesOf(code)).toEqual(['one', 'two', '$Four', 'five', 'two', 'default'])
  expect(emptied('export function two() {}\nexport default 3', '() => {}')).toBe(
    'export const two = () => {};\nexport default () => {};',
  )
})

test('no name of the library’s own module is missing', async () => {
  const path = createRequire(import.meta.url)
    .resolve('zod/v4/core')
    .replace(/index\.c?js$/, 'to-json-schema.js')
  const real = (await import(path)) as object
  expect(Object.keys(real).length).toBeGreaterThan(5)
  expect(namesOf(readFileSync(path, 'utf8')).sort()).toEqual(Object.keys(real).sort())
})
