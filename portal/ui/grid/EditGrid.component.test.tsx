import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { show } from '#testkit/component/show.tsx'
import EditGrid from './EditGrid.tsx'
import type { GridColumn, ListEdit } from './types.ts'

interface Sensor {
  id: string
  name: string
  warning: number | null
}
const columns: GridColumn<Sensor>[] = [
  { id: 'name', name: 'Name', value: ({ name }) => name },
  {
    id: 'warning',
    name: 'Warning',
    value: ({ warning }) => warning,
    edit: { kind: 'number', schema: z.int().min(0).max(100).nullable() },
  },
]

/** A grid of two sensors; saved changes go to `save`. */
async function aGrid() {
  const save = vi.fn<ListEdit<Sensor>['save']>(async (edits) =>
    edits.map(({ row, values }) => ({ kind: 'saved', row: { ...row, ...values } })),
  )
  const rows = [
    { id: 'a', name: 'Entry', warning: 30 },
    { id: 'b', name: 'Exit', warning: 40 },
  ]
  const user = await show(
    <EditGrid
      name="Sensors"
      rows={rows}
      keyOf={({ id }) => id}
      columns={columns}
      nameOf={({ name }) => name}
      save={save}
      close={() => undefined}
    />,
    ['editing'],
  )
  const cell = (row: number) =>
    within(within(screen.getByRole('grid')).getAllByRole('row')[row + 1] as HTMLElement).getAllByRole('gridcell')[1]
  const write = async (row: number, text: string) => {
    await user.dblClick(cell(row) as HTMLElement)
    await user.keyboard('{Control>}a{/Control}')
    await user.keyboard(`${text}{Enter}`)
  }
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  return { user, save, cell, write, button }
}

test('only changed rows are saved, and a value typed back to its original is not a change', async () => {
  const { user, save, write, button } = await aGrid()
  expect(button('Save').disabled).toBe(true)
  await write(0, '50')
  await write(1, '60')
  await write(1, '40')
  await user.click(button('Save'))
  expect(save.mock.calls.map(([edits]) => edits)).toMatchObject([[{ row: { id: 'a' }, values: { warning: 50 } }]])
  await vi.waitFor(() => expect(button('Save').disabled).toBe(true))
})

test('a value beyond its rule is kept in its cell and holds back the save', async () => {
  const { user, save, cell, write, button } = await aGrid()
  await write(0, '500')
  expect(cell(0)?.textContent).toContain('500')
  expect(button('Save').disabled).toBe(true)
  await write(0, '99')
  await user.click(button('Save'))
  expect(save).toHaveBeenCalledOnce()
})
