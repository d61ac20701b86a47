import { expect, test } from 'vitest'
import type { Report } from '#contract/insight/report.ts'
import { placeOfKey } from './reportPlaces.ts'
import type { AskedReport } from './reportSearch.ts'

const asked = (more: Partial<AskedReport> = {}): AskedReport => ({
  type: 'groups',
  by: [],
  groupIds: [],
  clientIds: [],
  posIds: [],
  terms: 'ofDay',
  figures: [],
  startDate: '2026-10-01',
  endDate: '2026-10-31',
  ...more,
})
const report = (type: Report['type'], by: Report['by']) => ({ type, by, parameter: null }) as Report
const row = (keys: (string | null)[], isGone = false) => ({ keys, isGone })

test('a group opens its machines, with the period, the comparison and the other grouping kept', () => {
  const place = placeOfKey(report('groups', ['group']), asked({ compare: 'previous' }), row(['g1']), 0)
  expect(place).toMatchObject({
    to: '/transactions/reports/result',
    search: {
      type: 'groups',
      by: ['machine'],
      groupIds: ['g1'],
      startDate: '2026-10-01',
      endDate: '2026-10-31',
      compare: 'previous',
    },
  })
  const both = placeOfKey(
    report('products', ['product', 'client']),
    asked({ preset: 'thisMonth' }),
    row(['Water', 'c1']),
    1,
  )
  expect(both?.search).toMatchObject({ by: ['product', 'machine'], clientIds: ['c1'], period: 'thisMonth' })
})

test('a machine opens its sales of the period', () => {
  const place = placeOfKey(report('machines', ['machine']), asked({ groupIds: ['g1'] }), row(['m1']), 0)
  expect(place).toMatchObject({
    to: '/transactions/data',
    search: { posIds: 'm1', groupIds: ['g1'], startDate: '2026-10-01', endDate: '2026-10-31' },
  })
})

test('a machine of a cash report opens its cash, one of alarms its alarms', () => {
  expect(placeOfKey(report('cash', ['machine']), asked(), row(['m1']), 0)).toMatchObject({
    to: '/devices/$posId/cash',
    params: { posId: 'm1' },
    search: { startDate: '2026-10-01' },
  })
  expect(placeOfKey(report('alarms', ['machine']), asked(), row(['m1']), 0)).toMatchObject({ to: '/alarms' })
})

test('what is gone or unknown opens nothing', () => {
  expect(placeOfKey(report('groups', ['group']), asked(), row(['g1'], true), 0)).toBeUndefined()
  expect(placeOfKey(report('groups', ['group']), asked(), row([null]), 0)).toBeUndefined()
  expect(placeOfKey(report('cash', ['denomination']), asked(), row(['100']), 0)).toBeUndefined()
})
