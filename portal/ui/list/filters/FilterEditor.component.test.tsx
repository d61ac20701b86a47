import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { offered } from '#portal/ui/value/useTyped.ts'
import { show } from '#testkit/component/show.tsx'
import type { Filter } from '../types.ts'
import { FilterEditor, useFilterText } from './FilterEditor.tsx'

const all = Array.from({ length: 600 }, (_, at) => ({ value: `id-${at}`, label: `Machine ${1000 + at}` }))

/** Finds machines by their names, or by their serials, which are no part of their labels. */
function finder(records = all) {
  const calls: object[] = []
  const find: Filter['find'] = async (request) => {
    calls.push(request)
    if ('ids' in request) {
      const options = records.filter(({ value }) => request.ids.includes(value))
      return { options, total: options.length }
    }
    const { search } = request
    const matches = records.filter(({ label, value }) => !search || label.includes(search) || value === search)
    return { options: matches.slice(0, offered), total: matches.length }
  }
  return { find, calls }
}

function Edited({ filter, initially = [] }: { filter: Filter; initially?: string[] }) {
  const [values, setValues] = useState(initially)
  return (
    <>
      <p data-testid="said">{useFilterText(filter, values)}</p>
      <FilterEditor filter={filter} values={values} set={setValues} done={() => undefined} />
    </>
  )
}
const filterOf = (find: Filter['find'], more: Partial<Filter> = {}): Filter => ({
  key: 'posIds',
  kind: 'multi',
  name: 'Machine',
  ...(find && { find }),
  ...more,
})
const said = () => screen.getByTestId('said').textContent
const names = () => screen.queryAllByRole('checkbox').map((one) => one.closest('[class*=root]')?.textContent)
const status = () => screen.getByRole('status').textContent

test('a filter of many records offers the first 20 and says how many there are', async () => {
  const { find, calls } = finder()
  await show(<Edited filter={filterOf(find)} />, [])
  await screen.findByRole('checkbox', { name: 'Machine 1000' })
  expect(names()).toHaveLength(20)
  expect(status()).toBe('First 20 of 600. Type more letters to narrow the list.')
  expect(calls).toEqual([{ search: undefined }])
})

test('what is typed is searched once, on the server and also in what the labels do not show', async () => {
  const { find, calls } = finder()
  const user = await show(<Edited filter={filterOf(find)} />, [])
  const field = await screen.findByRole('textbox', { name: 'Find…' })
  await user.type(field, 'id-599')
  await screen.findByRole('checkbox', { name: 'Machine 1599' })
  expect(names()).toHaveLength(1)
  expect(calls).toEqual([{ search: undefined }, { search: 'id-599' }])
  await waitFor(() => expect(status()).toBe(''))
  await user.clear(field)
  await user.type(field, 'no such')
  await waitFor(() => expect(status()).toBe('No results'))
  expect(names()).toEqual([])
})

test('a chosen record beyond the first has its name by its id, and its tick can be removed and set again', async () => {
  const { find, calls } = finder()
  const user = await show(<Edited filter={filterOf(find)} initially={['id-599']} />, [])
  await waitFor(() => expect(said()).toBe('Machine 1599'))
  const box = await screen.findByRole('checkbox', { name: 'Machine 1599' })
  expect((box as HTMLInputElement).checked).toBe(true)
  await user.click(box)
  expect(said()).toBe('')
  await user.click(screen.getByRole('checkbox', { name: 'Machine 1599' }))
  expect(said()).toBe('Machine 1599')
  expect(calls.filter((one) => 'ids' in one)).toEqual([{ ids: ['id-599'] }])
})

test('a ticked match keeps its name and stays while another is searched, without asking for its name', async () => {
  const { find, calls } = finder()
  const user = await show(<Edited filter={filterOf(find)} />, [])
  const field = await screen.findByRole('textbox', { name: 'Find…' })
  await user.type(field, '1598')
  await user.click(await screen.findByRole('checkbox', { name: 'Machine 1598' }))
  await user.clear(field)
  await user.type(field, '1599')
  await user.click(await screen.findByRole('checkbox', { name: 'Machine 1599' }))
  expect(said()).toBe('Machine 1598, Machine 1599')
  await user.clear(field)
  await waitFor(() => expect(names()).toHaveLength(22))
  expect(calls.filter((one) => 'ids' in one)).toEqual([])
})

test('arrows lead from the search into the choices and along them', async () => {
  const { find } = finder()
  const user = await show(<Edited filter={filterOf(find)} />, [])
  await screen.findByRole('checkbox', { name: 'Machine 1000' })
  await user.click(screen.getByRole('textbox', { name: 'Find…' }))
  await user.keyboard('{ArrowDown}{ArrowDown} ')
  expect(said()).toBe('Machine 1001')
})

test('a failed search says so', async () => {
  await show(<Edited filter={filterOf(() => Promise.reject(new Error('lost')))} />, [])
  await waitFor(() => expect(status()).toBe('The list could not be loaded. Try again.'))
})

test('a short list is whole, without a search', async () => {
  await show(<Edited filter={filterOf(undefined, { options: all.slice(0, 3) })} />, [])
  await screen.findByRole('checkbox', { name: 'Machine 1000' })
  expect(screen.queryByRole('textbox')).toBeNull()
})
