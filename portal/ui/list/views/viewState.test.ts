import { expect, test } from 'vitest'
import type { SavedView } from '#contract/platform/saved-view.ts'
import { readSearch } from '#portal/app/search.ts'
import { type ListRules, readListState } from '../state/listState.ts'
import { type Look, pressedView, stateOfView, viewOf } from './viewState.ts'

const rules: ListRules = {
  ords: ['name', 'state'],
  initial: { ord: 'state', ordType: 'ASC' },
  filters: [
    { key: 'states', kind: 'multi', values: ['blocked', 'silent'] },
    { key: 'statuses', kind: 'multi', values: ['active', 'closed'], initially: ['active'] },
  ],
}
const columns = [{ id: 'name' }, { id: 'state' }]
const at = (text: string): Look => ({ state: readListState(readSearch(text), rules), rules, columns, headers: [] })
const view = (text: string, part: Partial<SavedView> = {}): SavedView => ({
  id: 'v1',
  merchantId: 'm1',
  tableId: 'machines',
  name: 'View',
  isShared: false,
  isMine: true,
  createdBy: 'Me',
  version: 1,
  ...viewOf(at(text), false),
  ...part,
})
const ready = [{ id: 'attention', name: 'Attention', filters: { states: ['blocked'], statuses: ['active'] } }]

test('a view restores the state it was saved from, including a filter without values', () => {
  const text = '?states=silent&statuses=any&ord=name&ordType=DESC'
  const { filters, ord, ordType } = stateOfView(view(text), rules)
  expect({ filters, ord, ordType }).toEqual({ filters: { states: ['silent'] }, ord: 'name', ordType: 'DESC' })
})

test('the open view is recognised on any page and with any page size', () => {
  const saved = [view('?states=silent&ord=name')]
  expect(pressedView(ready, saved, undefined, at('?states=silent&ord=name&page=3&size=50'))).toEqual({
    id: 'v1',
    isChanged: false,
  })
  expect(pressedView(ready, saved, undefined, at('?states=silent'))).toBeUndefined()
  expect(pressedView(ready, saved, undefined, at('?states=blocked'))?.id).toBe('attention')
})

test('an open view is marked when the state has changed', () => {
  const saved = [view('?states=blocked')]
  expect(pressedView(ready, saved, 'v1', at('?states=blocked'))).toEqual({ id: 'v1', isChanged: false })
  expect(pressedView(ready, saved, 'v1', at('?states=silent'))).toEqual({ id: 'v1', isChanged: true })
  expect(pressedView(ready, saved, 'v1', at('?states=blocked&ord=name'))).toEqual({ id: 'v1', isChanged: true })
  expect(pressedView(ready, [], 'v1', at('?states=blocked'))?.id).toBe('attention')
})

test('columns count for a view that stores them', () => {
  const headers = [{ id: 'state', isShown: false, width: null }]
  const free = view('?states=silent')
  const bound = view('?states=silent', { headers })
  expect(pressedView([], [free], 'v1', { ...at('?states=silent'), headers })?.isChanged).toBe(false)
  expect(pressedView([], [bound], 'v1', { ...at('?states=silent'), headers })?.isChanged).toBe(false)
  expect(pressedView([], [bound], 'v1', at('?states=silent'))?.isChanged).toBe(true)
})

test('a view of an older version, or of another list, opens its valid parts', () => {
  const strange = view('', {
    filter: { states: ['exploded'], colour: ['red'] },
    sortOptions: { ord: 'x', ordType: 'ASC' },
  })
  expect(stateOfView(strange, rules)).toMatchObject({ filters: { statuses: ['active'] }, ord: 'state' })
})

test('a list whose period cannot be removed shows all rows when nothing else is filtered', () => {
  const all = [{ id: 'all', name: 'All', filters: {} }]
  const dated: ListRules = { ords: [], filters: [{ key: 'period', kind: 'period', initial: 'today' }] }
  const lookIn = (text: string): Look => ({
    state: readListState(readSearch(text), dated),
    rules: dated,
    columns,
    headers: [],
  })
  expect(pressedView(all, [], undefined, lookIn(''))?.id).toBe('all')
  expect(pressedView(all, [], undefined, lookIn('?period=yesterday'))).toBeUndefined()
})
