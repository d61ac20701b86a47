import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Report, ReportPivot } from '#contract/insight/report.ts'
import { show } from '#testkit/component/show.tsx'
import { PivotTable } from './PivotTable.tsx'
import { ReportTable } from './ReportTable.tsx'
import { type AskedReport, definitionIn } from './reportSearch.ts'
import { useReportNames } from './useReportNames.ts'

const merchantId = '01990000-0000-7000-8000-000000000001'
const report = {
  type: 'machines',
  by: ['machine'],
  parameter: null,
  startDate: '2026-10-01',
  endDate: '2026-10-31',
  figures: ['value', 'count'],
  rows: [
    {
      merchantId,
      merchantName: 'A',
      currency: 'EUR',
      keys: ['m1'],
      labels: ['Bar'],
      isGone: false,
      values: [500, 2],
      before: null,
    },
  ],
  rowCount: 1,
  totals: [{ currency: 'EUR', values: [500, 2], before: null }],
} as unknown as Report
const asked = {
  startDate: '2026-10-01',
  endDate: '2026-10-31',
  groupIds: [],
  clientIds: [],
  posIds: [],
} as unknown as AskedReport

/** The definition of a report, as the screen passes it. */
const definitionOf = (order: { ord: 'count' | null; ordType: 'ASC' | 'DESC' }) => ({
  ...definitionIn({ type: 'machines', by: 'machine' }),
  ...order,
})

const words = ['report', 'vocabulary']

test('a column sorts down, then up, then as the report does', async () => {
  const sort = vi.fn()
  const Table = ({ ord, ordType }: { ord: 'count' | null; ordType: 'ASC' | 'DESC' }) => (
    <ReportTable
      report={report}
      reportQuery={asked}
      names={useReportNames(null)}
      order={definitionOf({ ord, ordType })}
      sort={sort}
    />
  )
  const user = await show(
    <>
      <Table ord={null} ordType="DESC" />
      <Table ord="count" ordType="DESC" />
      <Table ord="count" ordType="ASC" />
    </>,
    words,
  )
  for (const button of await screen.findAllByRole('button', { name: 'Transactions' })) await user.click(button)
  expect(sort.mock.calls).toEqual([
    [{ ord: 'count', ordType: 'DESC' }],
    [{ ord: 'count', ordType: 'ASC' }],
    [{ ord: null, ordType: 'DESC' }],
  ])
  expect(
    screen.getAllByRole('columnheader', { name: 'Transactions' }).map((head) => head.getAttribute('aria-sort')),
  ).toEqual([null, 'descending', 'ascending'])
})

test('a pivot has the total of each row and column, and sorts by any of them', async () => {
  const pivot: ReportPivot = {
    figure: 'value',
    columns: [
      { key: 'Water', label: null, currency: 'EUR' },
      { key: null, label: null, currency: 'EUR' },
    ],
    others: 0,
    rows: [
      {
        merchantId,
        merchantName: 'A',
        currency: 'EUR',
        key: 'm1',
        label: 'Bar',
        isGone: false,
        cells: [500, null],
        total: 500,
      },
      {
        merchantId,
        merchantName: 'A',
        currency: 'EUR',
        key: 'm2',
        label: 'Hall',
        isGone: false,
        cells: [100, 50],
        total: 150,
      },
    ],
    rowCount: 2,
    totals: [{ currency: 'EUR', cells: [600, 50], total: 650 }],
  }
  const sort = vi.fn()
  const Table = () => (
    <PivotTable
      report={{ ...report, by: ['machine', 'product'], pivot }}
      pivot={pivot}
      reportQuery={asked}
      names={useReportNames(null)}
      order={{ ord: null, ordType: 'DESC', ordKey: null }}
      sort={sort}
    />
  )
  const user = await show(<Table />, words)
  const found = await screen.findAllByRole('row')
  const rows = found.map((row) => [...row.children].map((cell) => cell.textContent?.replaceAll('\u00a0', ' ')))
  expect(rows.slice(1)).toEqual([
    ['Bar', '€ 5,00', '–', '€ 5,00'],
    ['Hall', '€ 1,00', '€ 0,50', '€ 1,50'],
    ['Total', '€ 6,00', '€ 0,50', '€ 6,50'],
  ])
  await user.click(screen.getByRole('button', { name: 'Water' }))
  await user.click(screen.getByRole('button', { name: 'Without product' }))
  await user.click(screen.getByRole('button', { name: 'Total' }))
  await user.click(screen.getByRole('button', { name: 'Machine' }))
  expect(sort.mock.calls.map(([order]) => order)).toEqual([
    { ord: 'value', ordType: 'DESC', ordKey: 'Water' },
    { ord: 'value', ordType: 'DESC', ordKey: '' },
    { ord: 'value', ordType: 'DESC', ordKey: null },
    { ord: 'first', ordType: 'ASC', ordKey: null },
  ])
})
