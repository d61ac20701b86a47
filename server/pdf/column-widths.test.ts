import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellPadding, columnWidths, limited } from './column-widths.ts'

const page = { pageWidth: 511, fontSize: 9.5, headingSize: 8.5 }
const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + 2 * cellPadding, 0)

test('a table fills its page and never leaves it, however long its words are', () => {
  const word = fc.string({ maxLength: 90 })
  const row = fc.tuple(word, word, word, word)
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const columns = [{ heading: 'No.' }, { heading: 'Product', share: 1 }, { heading: 'Code' }, { heading: 'Pieces' }]
      const widths = columnWidths(columns, rows, page)
      expect(total(widths)).toBeCloseTo(511, 5)
      expect(widths[1]).toBeGreaterThanOrEqual(80)
    }),
  )
})

test('the widest columns give way first', () => {
  expect(limited([20, 300, 40], 200)).toEqual([20, 140, 40])
  expect(limited([20, 30], 200)).toEqual([20, 30])
  expect(limited([300, 10, 300], 210)).toEqual([100, 10, 100])
})
