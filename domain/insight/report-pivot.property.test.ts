import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostPivotColumns } from '#contract/insight/report.ts'
import type { ReportDimension } from '#contract/vocabulary/insight/report.ts'
import { composeReport } from './report.ts'
import type { SummedRow } from './report-figures.ts'

const by = ['machine', 'product'] satisfies ReportDimension[]
const merchants = { EUR: 'a', CZK: 'b' } as const

const amounts = fc.record({ value: fc.integer({ min: -5000, max: 90_000 }), count: fc.nat(60) })
const row = fc.record({
  currency: fc.constantFrom('EUR' as const, 'CZK' as const),
  machine: fc.constantFrom('m1', 'm2', 'm3', 'm4'),
  product: fc.constantFrom<(string | null)[]>(null, 'Espresso', 'Water', 'Crackers'),
  sums: amounts,
})
const rows = fc.uniqueArray(row, {
  selector: ({ currency, machine, product }) => `${currency} ${machine} ${product}`,
  minLength: 1,
  maxLength: 30,
})

interface Cell {
  currency: 'EUR' | 'CZK'
  machine: string
  product: string | null
  sums: { value: number; count: number }
}

const summed = ({ currency, machine, product, sums }: Cell): SummedRow => ({
  merchantId: merchants[currency],
  merchantName: merchants[currency],
  currency,
  keys: [machine, product],
  labels: [machine, null],
  isGone: false,
  sums: { ...sums, errorCount: 0 },
})
const sumOf = (all: readonly (number | null)[]) => all.reduce<number>((sum, one) => sum + (one ?? 0), 0)

test('rows, columns and the whole of a pivot add up to the totals of the report, currency by currency', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom('value' as const, 'count' as const), (all, figure) => {
      const report = composeReport({ source: 'sales', by, rows: all.map(summed), before: undefined, pivot: figure })
      const pivot = report.pivot
      if (!pivot) throw new Error('No pivot')
      for (const one of pivot.rows) expect(sumOf(one.cells)).toBe(one.total)
      for (const total of pivot.totals) {
        const ofCurrency = pivot.rows.filter(({ currency }) => currency === total.currency)
        total.cells.forEach((cell, at) =>
          expect(sumOf(ofCurrency.map(({ cells }) => cells[at] ?? null))).toBe(cell ?? 0),
        )
        expect(sumOf(ofCurrency.map((one) => one.total))).toBe(total.total)
        const flat = report.totals.find(({ currency }) => currency === total.currency)
        expect(total.total).toBe(flat?.values[report.figures.indexOf(figure)])
      }
    }),
  )
})

test('an average in a total is that of all sales, not of the averages', () => {
  const cell = (machine: string, product: string, value: number, count: number) =>
    summed({ currency: 'EUR', machine, product, sums: { value, count } })
  const { pivot } = composeReport({
    source: 'sales',
    by,
    rows: [cell('m1', 'Espresso', 1000, 10), cell('m1', 'Water', 300, 1)],
    before: undefined,
    pivot: 'average',
  })
  expect(pivot?.rows[0]).toMatchObject({ cells: [300, 100], total: 118 })
})

test('the columns above the maximum are one, and add up as well', () => {
  const many = Array.from({ length: mostPivotColumns + 7 }, (_, at) =>
    summed({ currency: 'EUR', machine: 'm1', product: `P${at}`, sums: { value: 1000 - at, count: 1 } }),
  )
  const { pivot } = composeReport({ source: 'sales', by, rows: many, before: undefined, pivot: 'value' })
  expect(pivot).toMatchObject({ others: 7 })
  expect(pivot?.columns).toHaveLength(mostPivotColumns)
  expect(sumOf(pivot?.rows[0]?.cells ?? [])).toBe(pivot?.rows[0]?.total)
})

test('a column or the total orders the rows, and unknown cells are last in both directions', () => {
  const cell = (machine: string, product: string, value: number) =>
    summed({ currency: 'EUR', machine, product, sums: { value, count: 1 } })
  const given = [cell('m1', 'Espresso', 100), cell('m2', 'Espresso', 300), cell('m3', 'Water', 900)]
  const order = (isRising: boolean, key?: string) =>
    composeReport({
      source: 'sales',
      by,
      rows: given,
      before: undefined,
      pivot: 'value',
      order: { ord: 'value', isRising, key },
    }).pivot?.rows.map(({ key: machine }) => machine)
  expect(order(false, 'Espresso')).toEqual(['m2', 'm1', 'm3'])
  expect(order(true, 'Espresso')).toEqual(['m1', 'm2', 'm3'])
  expect(order(false)).toEqual(['m3', 'm2', 'm1'])
})
