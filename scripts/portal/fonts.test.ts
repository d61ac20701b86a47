import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { charactersOf, writeInter } from './fonts.ts'

test('each piece of the font is smaller than the file it is cut from, and no character is in two pieces', async () => {
  const sheet = await writeInter()
  const faces = readFileSync(sheet, 'utf8').trim().split('\n')
  expect(faces).toHaveLength(3)
  const ranges = faces.map((face) => charactersOf(/unicode-range: ([^;]+);/.exec(face)?.[1] ?? ''))
  const all = ranges.join('')
  expect(new Set(all).size).toBe([...all].length)
  for (const letter of 'aéčęșğ€₲₡ẅ') expect(all, letter).toContain(letter)
  const [latin = 0, central = 0] = faces.map(
    (face) => readFileSync(join(dirname(sheet), /url\(\.\/([^)]+)\)/.exec(face)?.[1] ?? '')).length,
  )
  expect(latin).toBeLessThan(40_000)
  expect(central).toBeLessThan(20_000)
  for (const face of faces) expect(face).toContain('font-display: swap')
})
