import { expect, test } from 'vitest'
import { readSearch } from '#portal/app/search.ts'
import { readListState } from '#portal/ui/list/state/listState.ts'
import { alarmFilters, alarmKey, alarmViews, readAlarmKey } from './alarmFilters.ts'

const rules = { ords: ['createdAt'], filters: alarmFilters((key) => key, []) }
const at = (text: string) => readListState(readSearch(text), rules).filters

test('the list begins with the open alarms, which is what the view "Open" chooses', () => {
  const [open] = alarmViews((key) => key, {})
  expect(at('')).toEqual({ statuses: ['active', 'notification'] })
  expect(open?.filters).toEqual(at(''))
})

test('a link to a criticity shows the open alarms of it', () => {
  expect(at('?criticities=4')).toEqual({ statuses: ['active', 'notification'], criticities: ['4'] })
})

test('a filter of another vocabulary counts for nothing', () => {
  expect(at('?statuses=any&criticities=3&categories=storm&sources=moon')).toEqual({})
})

test('an alarm in an address is its machine and its id, or nothing', () => {
  const [posId, id] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002']
  expect(readAlarmKey(alarmKey({ posId, id }))).toEqual({ posId, alarmId: id })
  for (const key of [undefined, '', id, `${posId}.`, `${posId}.<script>`]) expect(readAlarmKey(key)).toBeUndefined()
})
