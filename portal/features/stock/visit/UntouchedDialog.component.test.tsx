import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '#testkit/component/show.tsx'
import { UntouchedDialog } from './UntouchedDialog.tsx'
import { linesOf, sentLines, unconfirmed } from './visitLines.ts'

const selection = (name: string) => ({
  selection: name,
  product: 'Water',
  productId: null,
  level: 0,
  capacity: 10,
  planned: 5,
})
const lines = linesOf({ selections: [selection('11'), selection('12')] } as Parameters<typeof linesOf>[0])

test('an untouched selection is sent as not loaded', () => {
  expect(sentLines(lines)).toMatchObject([
    { selection: '11', planned: 5, loaded: 0 },
    { selection: '12', planned: 5, loaded: 0 },
  ])
})

test('untouched selections are finished as not loaded unless the technician ticks them', async () => {
  const finish = vi.fn()
  const user = await show(<UntouchedDialog lines={unconfirmed(lines)} close={() => {}} finish={finish} />, ['visit'])
  await user.click(screen.getByRole('button', { name: 'Finish, 2 not loaded' }))
  expect(finish).toHaveBeenLastCalledWith(new Set())
})

test('the button says how many selections are not loaded', async () => {
  const finish = vi.fn()
  const user = await show(<UntouchedDialog lines={unconfirmed(lines)} close={() => {}} finish={finish} />, ['visit'])
  await user.click(screen.getByRole('checkbox', { name: '12 Water: 5 loaded as planned' }))
  await user.click(screen.getByRole('button', { name: 'Finish, 1 not loaded' }))
  expect(finish).toHaveBeenLastCalledWith(new Set(['12']))
})
