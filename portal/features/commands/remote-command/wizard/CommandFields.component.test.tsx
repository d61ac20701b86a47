import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '#testkit/component/show.tsx'
import { AmountField } from './AmountField.tsx'
import { CommandFields } from './CommandFields.tsx'
import { type Draft, emptyDraft } from './commandOrder.ts'

const words = ['remote-command', 'vocabulary']

/** The fields of a command as the wizard shows them; returns the current draft. */
async function fieldsOf(type: Draft['type'], Fields: typeof CommandFields | typeof AmountField) {
  const changed = vi.fn<(draft: Draft) => void>()
  const Wizard = () => {
    const [draft, setDraft] = useState<Draft>({ ...emptyDraft, type })
    const change = (part: Partial<Draft>) => {
      setDraft({ ...draft, ...part })
      changed({ ...draft, ...part })
    }
    return <Fields draft={draft} change={change} currency="EUR" />
  }
  const user = await show(<Wizard />, words)
  return { user, order: () => changed.mock.lastCall?.[0] }
}

const box = (name: string) => screen.getByRole('textbox', { name })

test('a price that is not a number is refused at its field on blur', async () => {
  const { user } = await fieldsOf(10, CommandFields)
  await user.type(box('Selection of price 1'), '12')
  await user.type(box('Price 1'), 'one twenty')
  expect(screen.queryByText('Enter a number')).toBeNull()
  await user.tab()
  expect(box('Price 1').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Enter a number')).toBeTruthy()
  await user.clear(box('Price 1'))
  await user.type(box('Price 1'), '1,20')
  expect(screen.queryByText('Enter a number')).toBeNull()
  await user.clear(box('Price 1'))
  await user.type(box('Price 1'), '1,205')
  expect(screen.getByText('1,205 has more decimals than EUR has')).toBeTruthy()
})

test('prices are added and removed by line, and the last line stays', async () => {
  const { user, order } = await fieldsOf(10, CommandFields)
  await user.type(box('Selection of price 1'), '12')
  await user.click(screen.getByRole('button', { name: 'Add line' }))
  await user.type(box('Selection of price 2'), '31')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Price list of price 2' }), 'Key 1')
  expect(order()?.prices).toMatchObject([
    { selection: '12', priceTable: '' },
    { selection: '31', priceTable: '2' },
  ])
  const [first] = screen.getAllByRole('button', { name: /remove/i })
  await user.click(first as HTMLElement)
  expect(order()?.prices).toMatchObject([{ selection: '31' }])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /remove/i }).disabled).toBe(true)
})

test('an amount of credit is parsed in the currency’s own format and limited to the maximum', async () => {
  const { user, order } = await fieldsOf(5, AmountField as typeof CommandFields)
  const amount = screen.getByRole('textbox')
  await user.type(amount, '2,50')
  expect(order()?.amount).toBe(250)
  await user.clear(amount)
  await user.type(amount, '99999999')
  expect(amount.getAttribute('aria-invalid')).toBe('true')
})
