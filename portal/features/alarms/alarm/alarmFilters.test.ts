import { expect, test } from 'vitest'
import { readSearch } from '#portal/app/search.ts'
import { readListState } from '#portal/ui/list/state/listState.ts'
import { alarmFilters, alarmKey, alarmViews, readAlarmKey } from './alarmFilters.ts'

const rules = { ords: ['createdAt'], filters: alarmFilters((key) => key, []) }
const at = (text: string) => readListState(readSearch(text), rules).filters

test('the list starts with the open alarms, the choice of the view "Open"', () => {
  const [open] = alarmViews((key) => key, {})
  expect(at('')).toEqual({ statuses: ['active', 'notification'] })
  expect(open?.filters).toEqual(at(''))
})

test('a link to a severity shows its open alarms', () => {
  expect(at('?criticities=4')).toEqual({ statuses: ['active', 'notification'], criticities: ['4'] })
})

test('an invalid filter value has no effect', () => {
  expect(at('?statuses=any&criticities=3&categories=storm&sources=moon')).toEqual({})
})

test('an alarm in an address is its machine and its id, or undefined', () => {
  const posId = '019a0000-0000-7000-8000-000000000001'
  const id = '019a0000-0000-7000-8000-000000000002'
  expect(readAlarmKey(alarmKey({ posId, id }))).toEqual({ posId, alarmId: id })
  for (const key of [undefined, '', id, `${posId}.`, `${posId}.<script>`]) expect(readAlarmKey(key)).toBeUndefined()
})
