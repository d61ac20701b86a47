import { writeFileSync } from 'node:fs'
import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import type { labelPapers } from '#contract/machines/machine-acts.ts'
import { objectsOf, textsOfPdf } from '#testkit/pdf-text.ts'
import { labelsPdf } from './labels.ts'

const label = (number: number) => ({
  name: `Machine ${number}`,
  serial: `SN-${number}`,
  owner: 'Caffè Aurora',
  url: `https://portal.example.com/m/0123456789${String(number).padStart(2, '0')}`,
})
const many = (count: number) => Array.from({ length: count }, (_, number) => label(number + 1))
const print = (paper: (typeof labelPapers)[number], count: number) =>
  labelsPdf({ paper, title: 'Labels', heading: 'Scan', labels: many(count), now: new Date('2026-11-28T09:00:00Z') })

/** The sizes of the pages in millimetres. */
const pagesOf = (bytes: Buffer) =>
  [...bytes.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) =>
    [width, height].map((points) => Math.round((Number(points) / 72) * 25.4)),
  )

test.each([
  ['a4x24', 25, [210, 297], 2],
  ['a4x8', 17, [210, 297], 3],
  ['a4x2', 2, [210, 297], 1],
  ['roll62x100', 3, [62, 100], 3],
  ['roll50x30', 3, [50, 30], 3],
] as const)('%s: %i labels are on pages of %j mm', async (paper, count, size, pages) => {
  const bytes = await print(paper, count)
  if (process.env.PDF_FOLDER) writeFileSync(`${process.env.PDF_FOLDER}/${paper}.pdf`, bytes)
  expect(pagesOf(bytes)).toEqual(Array.from({ length: pages }, () => size))
  const drawn = textsOfPdf(bytes).join(' ')
  for (let number = 1; number <= count; number++) expect(drawn).toContain(`SN-${number}`)
  expect(drawn).toContain('Aurora')
})

test('a long name is cut at the edge of its label, with dots', async () => {
  const name = 'Distributore automatico di bevande calde e fredde del terzo piano '.repeat(4)
  const bytes = await labelsPdf({
    paper: 'roll50x30',
    title: 'Labels',
    heading: 'Scan',
    labels: [{ ...label(1), name }],
    now: new Date(),
  })
  expect(pagesOf(bytes)).toHaveLength(1)
  const drawn = textsOfPdf(bytes).join('')
  expect(drawn).toContain('…')
  expect(drawn).toContain('SN-1')
})

/** The pixels of the first page, ten to a millimetre: black where a rectangle is drawn. */
function pixelsOf(bytes: Buffer, [width, height]: readonly [number, number]) {
  const scale = 10 * (25.4 / 72)
  const pixels = new Uint8ClampedArray(width * 10 * height * 10 * 4).fill(255)
  const [page] = [...objectsOf(bytes).values()].filter(({ stream }) => / re$/m.test(stream))
  for (const [, x, y, w, h] of page?.stream.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g) ?? [])
    for (let row = Math.round(Number(y) * scale); row < Math.round((Number(y) + Number(h)) * scale); row++)
      for (let column = Math.round(Number(x) * scale); column < Math.round((Number(x) + Number(w)) * scale); column++)
        pixels.fill(0, (row * width * 10 + column) * 4, (row * width * 10 + column) * 4 + 3)
  return { pixels, width: width * 10, height: height * 10 }
}

test.each([
  ['roll62x100', [62, 100]],
  ['roll50x30', [50, 30]],
] as const)('the code of a label on %s says its address, and fills its place', async (paper, size) => {
  const { pixels, width, height } = pixelsOf(await print(paper, 1), size)
  const code = jsqr(pixels, width, height)
  expect(code?.data).toBe(label(1).url)
  const { topLeftCorner: left, topRightCorner: right } = code?.location ?? {}
  // A third of the label or more: a phone reads it from half a metre.
  expect((right?.x ?? 0) - (left?.x ?? 0)).toBeGreaterThan(width / 3)
})
