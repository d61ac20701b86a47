import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Transaction } from '#contract/sales/transaction.ts'
import { show } from '#testkit/component/show.tsx'
import { ClaimSales } from './ClaimSales.tsx'

const vend = (id: string, with_: Partial<Transaction>) =>
  ({
    id,
    timeZone: 'Europe/Rome',
    currency: 'EUR',
    type: 1,
    value: 120,
    paidWith: 1,
    mediaSerial: null,
    errorSale: false,
    refundId: null,
    createdAt: '2026-11-02T09:31:00',
    ...with_,
  }) as Transaction
const sales = [
  vend('a', { product: 'Espresso', errorSale: true }),
  vend('b', { product: 'Water', value: 60, paidWith: 2, mediaSerial: 'K100' }),
  vend('c', { product: 'Tea', errorSale: true, refundId: 'r' }),
]
const query = { data: sales, error: null, refetch: vi.fn() }

test('each vend has its product, price, payment and outcome', async () => {
  await show(<ClaimSales sales={query as never} named={undefined} picked={null} pick={() => {}} />, [
    'claim',
    'transaction',
    'vocabulary',
  ])
  expect(screen.getAllByRole('listitem').map((item) => item.textContent?.replaceAll('\u00a0', ' '))).toEqual([
    '10:31Espresso€ 1,20Failed vendCashThis vend',
    '10:31Water€ 0,60VendedKey · K100This vend',
    '10:31Tea€ 1,20RefundedCashThis vend',
  ])
})

test('a click chooses a vend, and another one gives it up', async () => {
  const pick = vi.fn()
  const user = await show(<ClaimSales sales={query as never} named={undefined} picked="b" pick={pick} />, [
    'claim',
    'transaction',
    'vocabulary',
  ])
  const [first, second] = screen.getAllByRole('listitem')
  await user.click(within(first as HTMLElement).getByRole('button', { name: 'This vend' }))
  expect(pick).toHaveBeenLastCalledWith(sales[0])
  await user.click(within(second as HTMLElement).getByRole('button', { name: 'Selected' }))
  expect(pick).toHaveBeenLastCalledWith(undefined)
})

test('the vend that a link names is chosen at first', async () => {
  const pick = vi.fn()
  await show(<ClaimSales sales={query as never} named="a" picked={null} pick={pick} />, [
    'claim',
    'transaction',
    'vocabulary',
  ])
  expect(pick).toHaveBeenCalledWith(sales[0])
})
