import { expect, test } from 'vitest'
import { readSearch, writeSearch } from '#portal/app/search.ts'
import { filtersOf, type ListRules, queryOfState, readListState, writeListState } from './listState.ts'

const rules: ListRules = {
  ords: ['name', 'state'],
  initial: { ord: 'state', ordType: 'DESC' },
  filters: [
    { key: 'search', kind: 'text' },
    { key: 'states', kind: 'multi', values: ['blocked', 'silent'] },
    { key: 'groupIds', kind: 'multi' },
    { key: 'freeSale', kind: 'select', values: ['true', 'false'] },
    { key: 'period', kind: 'period', initial: 'today' },
  ],
}
const read = (text: string) => readListState(readSearch(text), rules)
const days = () => ({ startDate: '2026-11-21', endDate: '2026-11-21' })

test('an address without parameters is the list in its default state', () => {
  expect(read('')).toEqual({
    page: 1,
    size: 20,
    ord: 'state',
    ordType: 'DESC',
    cursor: undefined,
    filters: { period: ['today'] },
    chart: 'none',
    measure: undefined,
  })
})

test('an address restores its view', () => {
  const address =
    '?page=3&size=50&ord=name&ordType=ASC&search=hall&states=blocked&states=silent&freeSale=true&period=yesterday'
  const again = readSearch(writeSearch(writeListState(read(address), rules, {})))
  expect(readListState(again, rules)).toEqual(read(address))
  expect(read(address)).toMatchObject({ page: 3, size: 50, ord: 'name', ordType: 'ASC' })
})

test("defaults are not written, except the page: an address without a query opens the list in the user's last state", () => {
  expect(
    writeSearch(writeListState(read('?page=1&size=20&ord=state&ordType=DESC&period=today'), rules, { merchant: 'm1' })),
  ).toBe('?merchant=m1&page=1')
})

test('invalid values fall back to defaults', () => {
  const hostile = read(
    '?page=-3&size=1000000&ord=password&ordType=sideways&states=blocked&states=exploded&groupIds=<script>&freeSale=maybe&period=forever&startDate=2026-02-30&endDate=2026-03-01',
  )
  expect(hostile).toEqual({
    page: 1,
    size: 20,
    ord: 'state',
    ordType: 'DESC',
    cursor: undefined,
    filters: { states: ['blocked'], period: ['today'] },
    chart: 'none',
    measure: undefined,
  })
  for (const page of ['0', '1.5', 'NaN', '1e99', 'Infinity', '0x10000000000'])
    expect(read(`?page=${page}`).page).toBe(1)
})

test('a period with its end before its start is ignored', () => {
  expect(read('?startDate=2026-11-20&endDate=2026-11-01').filters.period).toEqual(['today'])
  expect(read('?startDate=2026-11-01&endDate=2026-11-20').filters.period).toEqual(['2026-11-01', '2026-11-20'])
})

test('the query contains the days of a period, and searches from two letters on', () => {
  expect(queryOfState(read('?search=h&states=blocked'), rules, days)).toEqual({
    page: 1,
    size: 20,
    ord: 'state',
    ordType: 'DESC',
    states: ['blocked'],
    startDate: '2026-11-21',
    endDate: '2026-11-21',
  })
  expect(queryOfState(read('?search=%20hall%20'), rules, days)).toMatchObject({ search: 'hall' })
})

test('a cursor continues from the current page, and the first page has none', () => {
  const endless = { ...rules, hasCursor: true }
  const at = (text: string) => readListState(readSearch(text), endless)
  expect(queryOfState(at('?page=7&cursor=abc'), endless, days)).toMatchObject({ page: 7, cursor: 'abc' })
  expect(queryOfState(at('?page=1&cursor=abc'), endless, days)).not.toHaveProperty('cursor')
  expect(read('?page=7&cursor=abc').cursor).toBeUndefined()
})

test('a filter with default values is written when it is cleared, and left out at its defaults', () => {
  const open: ListRules = {
    ords: [],
    filters: [
      { key: 'statuses', kind: 'multi', values: ['active', 'waiting', 'closed'], initially: ['active', 'waiting'] },
    ],
  }
  const at = (text: string) => readListState(readSearch(text), open)
  const written = (text: string) => writeSearch(writeListState(at(text), open, {}))
  expect(at('').filters.statuses).toEqual(['active', 'waiting'])
  expect(written('')).toBe('?page=1')
  expect(at('?statuses=any').filters).toEqual({})
  expect(written('?statuses=any')).toBe('?statuses=any')
  expect(written('?statuses=closed')).toBe('?statuses=closed')
  expect(at('?statuses=exploded').filters.statuses).toEqual(['active', 'waiting'])
})

test('one scroll requests its first rows, and has neither pages nor cursors', () => {
  const endless = { ...rules, hasCursor: true }
  const state = readListState(readSearch('?size=all&page=7&cursor=abc'), endless)
  expect(state).toMatchObject({ size: 'all', page: 1 })
  expect(queryOfState(state, endless, days)).toMatchObject({ page: 1, size: 200 })
  expect(queryOfState(state, endless, days)).not.toHaveProperty('cursor')
  expect(writeSearch(writeListState(state, endless, {}))).toBe('?size=all')
  for (const size of ['ALL', 'all ', '499', '-20', '5e2']) expect(read(`?size=${size}`).size).toBe(20)
})

test('a chart and its measure are in the address, if the list has such numbers', () => {
  const numbered = { ...rules, measures: ['salesToday', 'openAlarms'] }
  const at = (text: string) => readListState(readSearch(text), numbered)
  expect(at('?chart=pie&measure=openAlarms')).toMatchObject({ chart: 'pie', measure: 'openAlarms' })
  expect(writeSearch(writeListState(at('?chart=pie&measure=openAlarms'), numbered, {}))).toBe(
    '?chart=pie&measure=openAlarms',
  )
  expect(at('?chart=bar&measure=password')).toMatchObject({ chart: 'bar', measure: undefined })
  expect(at('?chart=%3Cscript%3E&measure=openAlarms').chart).toBe('none')
  expect(read('?chart=bar').chart).toBe('none')
})

test('only the filters decide which rows match', () => {
  const which = { search: 'gate', statuses: ['active'], startDate: '2026-01-01' }
  expect(filtersOf({ ...which, page: 3, size: 50, ord: 'code', ordType: 'ASC', cursor: 'abc' })).toEqual(which)
})

test('a list may have several ranges of days, each under its own name', () => {
  const two: ListRules = {
    ords: [],
    filters: [
      { key: 'created', kind: 'range' },
      { key: 'ends', kind: 'range' },
    ],
  }
  const state = readListState(readSearch('?created=last7Days&ends=2026-11-01&ends=2026-12-31'), two)
  expect(state.filters).toEqual({ created: ['last7Days'], ends: ['2026-11-01', '2026-12-31'] })
  const again = readSearch(writeSearch(writeListState(state, two, {})))
  expect(readListState(again, two)).toEqual(state)
  expect(queryOfState(state, two, days)).toMatchObject({
    created: '{"startDate":"2026-11-21","endDate":"2026-11-21"}',
    ends: '{"startDate":"2026-11-01","endDate":"2026-12-31"}',
  })
  const hostile = '?created=2026-12-31&created=2026-11-01&ends=2026-02-30&ends=2026-03-01'
  expect(readListState(readSearch(hostile), two).filters).toEqual({})
  expect(readListState(readSearch('?created=for-ever&ends=2026-01-01'), two).filters).toEqual({})
})
