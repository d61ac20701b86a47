import { expect, test } from 'vitest'
import { readTableState } from '#contract/platform/table-state.ts'
import { readSearch } from '#portal/app/search.ts'
import { isBare, type ListRules, readListState } from './listState.ts'
import { settingsAfter, stateOfSettings } from './tableState.ts'

const rules: ListRules = {
  ords: ['name', 'state'],
  initial: { ord: 'state', ordType: 'DESC' },
  filters: [
    { key: 'search', kind: 'text' },
    { key: 'states', kind: 'multi', values: ['blocked', 'silent'] },
    { key: 'groupIds', kind: 'multi' },
    { key: 'statuses', kind: 'multi', values: ['active', 'closed'], initially: ['active'] },
    { key: 'period', kind: 'period', initial: 'today' },
  ],
  measures: ['sold'],
}
const nothing = readTableState(undefined)
const at = (text: string) => readListState(readSearch(text), rules)
const now = { merchantId: 'm1', isReturn: true }
const restored = (settings: Partial<typeof nothing>, how = now) =>
  stateOfSettings({ ...nothing, merchantId: 'm1', ...settings }, rules, how)
const after = (saved: typeof nothing, before: string, then: string) =>
  settingsAfter(saved, { before: at(before), after: at(then), rules, merchantId: 'm1' })

test('an address is bare until it has a state of the list', () => {
  expect(isBare(readSearch('?merchant=m1&map=on&alarm=x'), rules)).toBe(true)
  for (const text of ['?page=1', '?states=blocked', '?startDate=2026-01-01', '?ord=nothing', '?chart=bar'])
    expect(isBare(readSearch(text), rules)).toBe(false)
})

test('without a saved state the list has its defaults', () => {
  expect(restored({})).toEqual(at(''))
})

test("the user's own choices are restored", () => {
  const saved = after(nothing, '', '?search=hall&statuses=any&period=yesterday&size=50&ord=name&ordType=ASC&chart=bar')
  expect(stateOfSettings(saved, rules, now)).toEqual(
    at('?search=hall&statuses=any&period=yesterday&size=50&ord=name&ordType=ASC&chart=bar'),
  )
})

test('the state of a link is not saved as a choice', () => {
  const saved = after(nothing, '', '?states=silent&ord=name')
  const sorted = after(saved, '?states=blocked&search=hall', '?states=blocked&search=hall&ord=name&ordType=DESC')
  expect(sorted.filter).toEqual(saved.filter)
  expect(sorted.sortOptions).toEqual({ ord: 'name', ordType: 'DESC' })
  const cleared = after(saved, '?states=blocked&search=hall', '?search=hall')
  expect(cleared.filter).toEqual({ states: [] })
})

test('the page is kept only while the saved state is shown, and is restored on return', () => {
  const paged = after(nothing, '', '?page=4')
  expect(paged.currentPage).toBe(4)
  expect(restored(paged).page).toBe(4)
  expect(restored(paged, { ...now, isReturn: false }).page).toBe(1)
  expect(after(nothing, '?states=blocked', '?states=blocked&page=4').currentPage).toBe(1)
})

test('values unknown to the list are dropped, one by one', () => {
  const older = readTableState({
    currentPage: -3,
    itemsPerPage: 33,
    filter: { states: ['blocked', 'exploded'], colour: ['red'], period: ['forever'], search: ['x'.repeat(101)] },
    sortOptions: { ord: 'password', ordType: 'ASC' },
    dtOptions: { chart: 'bar', measure: 'weight' },
  })
  expect(restored(older)).toEqual({ ...at('?states=blocked'), chart: 'bar' })
})

test('groups and machines are not kept for another merchant', () => {
  const group = '019ad6a2-3c41-7e5b-9d0e-5d1f3f6a2b10'
  const saved = after(nothing, '', `?states=blocked&groupIds=${group}`)
  expect(stateOfSettings(saved, rules, now).filters.groupIds).toEqual([group])
  const elsewhere = { ...now, merchantId: 'm2' }
  expect(stateOfSettings(saved, rules, elsewhere)).toEqual(at('?states=blocked'))
  const there = settingsAfter(saved, {
    before: at('?states=blocked'),
    after: at('?states=blocked&page=2'),
    rules,
    merchantId: 'm2',
  })
  expect(there).toMatchObject({ merchantId: 'm2', currentPage: 2 })
  expect(there.filter).not.toHaveProperty('groupIds')
})
