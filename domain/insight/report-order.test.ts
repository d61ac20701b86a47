import { expect, test } from 'vitest'
import type { ReportOrd } from '#contract/vocabulary/insight/report.ts'
import { composeReport } from './report.ts'
import type { SummedRow } from './report-figures.ts'

const row = (machine: string, value: number, count = 1, currency: SummedRow['currency'] = 'EUR'): SummedRow => ({
  merchantId: 'a',
  merchantName: 'A',
  currency,
  keys: [machine],
  labels: [machine],
  isGone: false,
  sums: { value, count, errorCount: 0 },
})
const names = (
  rows: readonly SummedRow[],
  { before, ord, isRising = false }: { before?: readonly SummedRow[]; ord?: ReportOrd; isRising?: boolean } = {},
) =>
  composeReport({
    source: 'sales',
    by: ['machine'],
    rows,
    before: before && [before],
    order: ord && { ord, isRising },
  }).rows.map(({ keys: [machine] }) => machine)

test('any column sorts, in both directions', () => {
  const rows = [row('Bar', 500, 2), row('Atrium', 900, 1), row('Canteen', 100, 7)]
  expect(names(rows)).toEqual(['Atrium', 'Bar', 'Canteen'])
  expect(names(rows, { ord: 'first', isRising: true })).toEqual(['Atrium', 'Bar', 'Canteen'])
  expect(names(rows, { ord: 'first' })).toEqual(['Canteen', 'Bar', 'Atrium'])
  expect(names(rows, { ord: 'count' })).toEqual(['Canteen', 'Bar', 'Atrium'])
  expect(names(rows, { ord: 'average', isRising: true })).toEqual(['Canteen', 'Bar', 'Atrium'])
})

test('beside another period, the largest differences are first, in either direction', () => {
  const rows = [row('Bar', 900), row('Atrium', 500), row('Canteen', 100)]
  const before = [row('Bar', 890), row('Atrium', 100), row('Canteen', 900)]
  expect(names(rows, { before })).toEqual(['Canteen', 'Atrium', 'Bar'])
  expect(names(rows, { before, ord: 'change', isRising: true })).toEqual(['Bar', 'Atrium', 'Canteen'])
  expect(names(rows, { before, ord: 'value' })).toEqual(['Bar', 'Atrium', 'Canteen'])
})

test('amounts of different currencies are not compared', () => {
  const rows = [row('Bar', 5), row('Kiosk', 800, 1, 'CZK'), row('Atrium', 7)]
  expect(names(rows, { ord: 'value' })).toEqual(['Kiosk', 'Atrium', 'Bar'])
  expect(names(rows, { ord: 'value', isRising: true })).toEqual(['Kiosk', 'Bar', 'Atrium'])
})

test('the chosen figures are the columns, in their order; the others are still offered', () => {
  const report = composeReport({
    source: 'sales',
    by: ['machine'],
    rows: [row('Bar', 500)],
    before: undefined,
    figures: ['vends', 'value', 'alarms'],
  })
  expect(report.figures).toEqual(['vends', 'value'])
  expect(report.offered).toContain('average')
  expect(report.rows[0]?.values).toEqual([1, 500])
  expect(report.totals[0]?.values).toEqual([1, 500])
})
