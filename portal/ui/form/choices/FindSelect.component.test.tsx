import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { machines } from '#contract/machines/machine.ts'
import type { Option } from '#portal/ui/value/option.ts'
import { show } from '#testkit/component/show.tsx'
import { FindIds, FindOne } from './FindSelect.tsx'

const all = Array.from({ length: 60 }, (_, at) => ({ id: `id-${at}`, name: `Machine ${100 + at}`, serial: `S${at}S` }))
const queries: URLSearchParams[] = []
beforeEach(() => {
  queries.length = 0
  vi.stubGlobal('fetch', async (address: string | URL | Request) => {
    const { searchParams } = new URL(address instanceof Request ? address.url : String(address), location.href)
    queries.push(searchParams)
    const search = searchParams.get('search') ?? ''
    const ids = searchParams.getAll('ids')
    const matches = all.filter(
      ({ id, name, serial }) =>
        (ids.length === 0 || ids.includes(id)) && (name.includes(search) || serial.includes(search)),
    )
    const items = matches.slice(0, Number(searchParams.get('size')))
    return new Response(JSON.stringify({ items, total: matches.length, capped: false }))
  })
})
afterEach(() => vi.unstubAllGlobals())

function One() {
  const [value, setValue] = useState<Option | null>(null)
  return <FindOne row={machines.listMachines} label="Machine" value={value} choose={setValue} />
}
const names = () => screen.getAllByRole('option').map((one) => one.textContent)

test('a field offers the first 20 records and says how many there are', async () => {
  const user = await show(<One />, [])
  await user.click(await screen.findByRole('combobox', { name: 'Machine' }))
  await waitFor(() => expect(names()).toHaveLength(21))
  expect(names().at(-1)).toBe('First 20 of 60. Type more letters to narrow the list.')
  expect(screen.getAllByRole('option').at(-1)?.getAttribute('data-combobox-disabled')).toBe('true')
  expect(queries.map((one) => one.get('size'))).toEqual(['20'])
})

test('a record is found on the server, also by what its label does not show, and chosen by keyboard', async () => {
  const user = await show(<One />, [])
  const field = await screen.findByRole('combobox', { name: 'Machine' })
  await user.type(field, 'S57S')
  await waitFor(() => expect(names()).toEqual(['Machine 157']))
  await user.keyboard('{ArrowDown}{Enter}')
  expect((field as HTMLInputElement).value).toBe('Machine 157')
  expect(queries.map((one) => one.get('search'))).toEqual([null, 'S57S'])
})

test('a screen reader hears that nothing was found', async () => {
  const user = await show(<One />, [])
  await user.type(await screen.findByRole('combobox', { name: 'Machine' }), 'nothing')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('No results'))
})

test('chosen ids have their names, whatever the first records are', async () => {
  await show(
    <FindIds
      row={machines.listMachines}
      by="ids"
      label="Machines"
      ids={['id-59', 'id-58']}
      choose={() => undefined}
      most={9}
    />,
    [],
  )
  await screen.findByText('Machine 159')
  screen.getByText('Machine 158')
})
