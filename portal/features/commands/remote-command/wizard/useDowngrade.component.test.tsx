import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#portal/app/apiError.ts'
import { show } from '#testkit/component/show.tsx'
import { useDowngrade } from './useDowngrade.tsx'

const facts = { machines: 3, versions: ['4.12.0.1', '4.13.0.0'], names: '4.12.0.1, 4.13.0.0' }

/** A button that sends an update as the wizard does: the first attempt is refused because machines run newer versions. */
async function sender() {
  const sent: boolean[] = []
  const done = vi.fn<(result: unknown) => void>()
  const sendNow = async (allowDowngrade: boolean) => {
    sent.push(allowDowngrade)
    if (!allowDowngrade) throw new ApiError('UpdateDowngrade', 409, { facts })
    return 'sent'
  }
  const Wizard = () => {
    const downgrade = useDowngrade()
    return (
      <>
        <button type="button" onClick={() => void downgrade.send(sendNow).then(done)}>
          Send
        </button>
        {downgrade.dialog}
      </>
    )
  }
  const user = await show(<Wizard />, ['remote-command', 'ui'])
  await user.click(screen.getByRole('button', { name: 'Send' }))
  return { user, sent, done }
}

test('an order with newer machines names their versions, and is sent after a confirmation', async () => {
  const { user, sent, done } = await sender()
  const dialog = await screen.findByRole('dialog', { name: 'Replace newer versions?' })
  expect(dialog.textContent).toContain('3 machines run a newer version: 4.12.0.1, 4.13.0.0.')
  expect(sent).toEqual([false])
  await user.click(screen.getByRole('button', { name: 'Replace newer versions' }))
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith('sent'))
  expect(sent).toEqual([false, true])
})

test('without a confirmation nothing is sent', async () => {
  const { user, sent, done } = await sender()
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith(undefined))
  expect(sent).toEqual([false])
})
