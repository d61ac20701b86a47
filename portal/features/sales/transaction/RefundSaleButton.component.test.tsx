import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Transaction } from '#contract/sales/transaction.ts'
import { saleRefusals } from '#contract/vocabulary/cashless.ts'
import { show } from '#testkit/component/show.tsx'
import { RefundSaleButton } from './RefundSaleButton.tsx'

const vend = (with_: Partial<Transaction> = {}) =>
  ({
    id: '01990000-0000-7000-8000-00000000000a',
    merchantId: '01990000-0000-7000-8000-000000000001',
    posId: '01990000-0000-7000-8000-00000000000b',
    posName: 'Canteen',
    timeZone: 'Europe/Rome',
    currency: 'EUR',
    type: 1,
    errorSale: true,
    value: 120,
    product: 'Espresso',
    mediaId: '01990000-0000-7000-8000-00000000000c',
    mediaSerial: 'K100',
    refundable: 120,
    refundRefusal: null,
    createdAt: '2026-11-02T09:31:00',
    ...with_,
  }) as Transaction

test('a refund is confirmed with its amount, its vend and its medium', async () => {
  const user = await show(<RefundSaleButton sale={vend()} />, ['refund'])
  await user.click(screen.getByRole('button', { name: 'Refund €\u00a01,20' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund €\u00a01,20?' })
  expect(dialog.textContent).toContain(
    'Failed vend of Espresso at Canteen, 2 Nov, 10:31. €\u00a01,20 of cloud credit is added to K100.',
  )
  expect(screen.getByRole('button', { name: 'Don’t refund' })).toBeDefined()
})

test.each(saleRefusals.filter((refusal) => refusal !== 'refunded'))(
  'a vend that cannot be refunded (%s) has its reason beside the disabled button',
  async (refundRefusal) => {
    await show(<RefundSaleButton sale={vend({ refundRefusal })} />, ['refund'])
    const button = screen.getByRole('button', { name: 'Refund' })
    expect((button as HTMLButtonElement).disabled).toBe(true)
    expect(button.parentElement?.textContent).toMatch(/^Refund.+\./)
    expect(screen.queryByRole('link', { name: 'Open a claim' }) !== null).toBe(
      ['cash', 'card', 'unknownMedia'].includes(refundRefusal),
    )
  },
)

test('without the feature of media, the reason says who turns it on', async () => {
  await show(<RefundSaleButton sale={vend({ refundRefusal: undefined })} />, ['refund'])
  expect(screen.getByText('Customers and media are off. The provider turns them on.')).toBeDefined()
})

test('a refunded vend says so, and a sale that did not fail has no refund', async () => {
  await show(
    <>
      <RefundSaleButton sale={vend({ refundRefusal: 'refunded' })} />
      <RefundSaleButton sale={vend({ errorSale: false })} />
    </>,
    ['refund'],
  )
  expect(screen.getByText('Refunded')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})
