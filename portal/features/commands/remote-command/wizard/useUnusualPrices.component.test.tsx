import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { UnusualCommandPrices } from '#contract/commands/remote-command.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { show } from '#testkit/component/show.tsx'
import { useUnusualPrices } from './useUnusualPrices.tsx'

const words = ['remote-command', 'price', 'vocabulary', 'ui']

const factsOf = (digest: string): UnusualCommandPrices => ({
  unusual: 1,
  digest,
  prices: [
    {
      posId: '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11',
      posName: 'Lobby',
      selection: '11',
      priceTable: 1,
      before: 100,
      price: 10_000,
      warning: 'band',
    },
  ],
})
const unusual = (digest: string) => new ApiError('PricesUnusual', 409, { facts: factsOf(digest) })

/** A button that sends a command as the wizard does; returns what was sent and what came of it. */
async function sender(answers: readonly (ApiError | string)[]) {
  const sent: (string | null)[] = []
  const done = vi.fn<(result: unknown) => void>()
  const sendNow = async (confirmed: string | null) => {
    sent.push(confirmed)
    const answer = answers[sent.length - 1]
    if (answer instanceof ApiError) throw answer
    return answer
  }
  const Wizard = () => {
    const guard = useUnusualPrices()
    return (
      <>
        <button type="button" onClick={() => void guard.send(sendNow, 'EUR').then(done)}>
          Send
        </button>
        {guard.dialog}
      </>
    )
  }
  const user = await show(<Wizard />, words)
  await user.click(screen.getByRole('button', { name: 'Send' }))
  return { user, sent, done }
}

test('unusual prices of a command are listed with machine and reason, and sent after a confirmation', async () => {
  const { user, sent, done } = await sender([unusual('one'), 'sent'])
  const dialog = await screen.findByRole('dialog', { name: 'Send 1 unusual price?' })
  expect(dialog.textContent).toContain('Lobby')
  expect(dialog.textContent).toMatch(/11.*1.00.*100.00/)
  expect(sent).toEqual([null])
  await user.click(screen.getByRole('button', { name: 'Send 1 unusual price' }))
  expect(sent).toEqual([null, 'one'])
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith('sent'))
})

test('a command with unusual prices is not sent when the user goes back to its prices', async () => {
  const { user, sent, done } = await sender([unusual('one')])
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await vi.waitFor(() => expect(done).toHaveBeenCalledWith(undefined))
  expect(sent).toEqual([null])
})
