import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '#testkit/component/show.tsx'
import { usePriceOffer } from './usePriceOffer.tsx'

const planogramId = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'

/** A button that offers prices after an assignment. */
async function offered(planogram: string | null, machines: readonly string[] | number) {
  const Assigned = () => {
    const { offer, dialog } = usePriceOffer()
    return (
      <>
        <button type="button" onClick={() => offer(planogram, machines)}>
          Assign
        </button>
        {dialog}
      </>
    )
  }
  const user = await show(<Assigned />, ['planogram'])
  await user.click(screen.getByRole('button', { name: 'Assign' }))
  return user
}

test('after an assignment, target prices from the planogram are offered and not forced', async () => {
  const user = await offered(planogramId, ['one', 'two'])
  const dialog = await screen.findByRole('dialog', { name: 'Set target prices from the planogram?' })
  expect(dialog.textContent).toContain('2 machines keep their prices')
  await user.click(screen.getByRole('button', { name: 'Keep unchanged' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the offer names all machines of a selection by filters as well', async () => {
  await offered(planogramId, 1234)
  expect((await screen.findByRole('dialog')).textContent).toContain('1.234 machines')
})

test('without a planogram, or without an assigned machine, nothing is offered', async () => {
  await offered(null, ['one'])
  expect(screen.queryByRole('dialog')).toBeNull()
})
