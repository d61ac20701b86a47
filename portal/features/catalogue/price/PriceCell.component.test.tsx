import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PriceSummary, TablePrice } from '#contract/catalogue/price.ts'
import { show } from '#testkit/component/show.tsx'
import { PriceBar, whyNotSend } from './PriceBar.tsx'
import { PriceCell } from './PriceCell.tsx'

const at = (minute: number) => `2026-11-21T08:${String(minute).padStart(2, '0')}:00`
const priceAt = (price: number, minute: number) => ({ price, at: at(minute) })
const aPrice = (facts: Partial<TablePrice>): TablePrice => ({
  priceTable: 1,
  wanted: 120,
  wantedAt: at(10),
  sent: priceAt(120, 11),
  reported: priceAt(120, 20),
  audited: null,
  charged: null,
  sync: 'sync',
  loss: null,
  planned: [],
  ...facts,
})
/** The cell's text, without the non-breaking spaces of amounts. */
const textOf = async (facts: Partial<TablePrice>) => {
  await show(
    <div data-testid="cell">
      <PriceCell price={aPrice(facts)} currency="EUR" />
    </div>,
    ['price', 'vocabulary'],
  )
  return screen.getByTestId('cell').textContent?.replaceAll(/\s/g, ' ').trim()
}

test('a price in sync shows one amount, and its state by name', async () => {
  expect(await textOf({})).toBe('€ 1,20')
  expect(screen.getByRole('img', { name: 'In sync' })).toBeTruthy()
})

test('a pending price shows the machine’s own price beside its state', async () => {
  expect(await textOf({ sync: 'pending', reported: priceAt(110, 5) })).toBe('€ 1,20Pending€ 1,10')
})

test('a price edited on the device says so in words', async () => {
  expect(await textOf({ sync: 'editedOnDevice', reported: priceAt(100, 40) })).toBe('€ 1,20Edited on the device€ 1,00')
})

test('a sale at another price is shown although the machine confirmed the price', async () => {
  expect(await textOf({ charged: priceAt(90, 30) })).toBe('€ 1,20Charged price differs€ 0,90')
})

test('without a target price only the machine’s own price is shown', async () => {
  expect(await textOf({ wanted: null, wantedAt: null, sync: 'none', reported: priceAt(95, 5) })).toBe('€ 0,95')
})

const aPlan = { price: 130, startsAt: '2026-11-30T23:00:00', pricePlanId: '01990000-0000-7000-8000-000000000008' }

test('a planned price shows its first day', async () => {
  expect(await textOf({ planned: [aPlan] })).toBe('€ 1,20€ 1,30 from 1 Dec 2026')
})

test('a price in several plans shows the next one and how many follow', async () => {
  expect(await textOf({ planned: [aPlan, { ...aPlan, price: 140 }] })).toContain('and 1 more plan')
})

const summary = (facts: Partial<PriceSummary>): PriceSummary => ({
  sync: 38,
  pending: 2,
  editedOnDevice: 1,
  chargedOtherwise: 0,
  unsent: 2,
  command: null,
  ...facts,
})
const onItsWay = {
  id: '01990000-0000-7000-8000-000000000009',
  status: 0 as const,
  result: null,
  resultInfo: null,
  createdAt: at(30),
  createdBy: 'Anna',
  startedAt: null,
  executedAt: null,
  progress: null,
}
const aBar = (facts: Partial<PriceSummary>, unsaved = 0) =>
  show(
    <PriceBar
      params={{ merchantId: 'm', posId: 'p' }}
      summary={summary(facts)}
      mayWrite
      isEditing={false}
      unsaved={unsaved}
      edit={() => undefined}
    />,
    ['price', 'vocabulary'],
  )
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Send/ })

test('the state of all prices is one line, and the button names how many are sent', async () => {
  await aBar({})
  for (const words of ['38 in sync', '2 pending', '1 edited on the device'])
    expect(screen.getByText(words)).toBeTruthy()
  expect(sendButton().textContent).toBe('Send 2 prices')
  expect(sendButton().disabled).toBe(false)
})

test('prices are not sent while changes are unsaved, and the reason is shown', async () => {
  await aBar({}, 3)
  expect(sendButton().disabled).toBe(true)
  expect(screen.getByText('Save or discard your changes first.')).toBeTruthy()
})

test('a command with prices can be cancelled until the machine has accepted it', async () => {
  await aBar({ command: onItsWay })
  expect(sendButton().disabled).toBe(true)
  expect(screen.getByRole('button', { name: 'Cancel sending' })).toBeTruthy()
  expect(whyNotSend(summary({ command: { ...onItsWay, status: 1, startedAt: at(31) } }), 0)).toBe('pending')
  expect(whyNotSend(summary({ command: { ...onItsWay, status: 2, startedAt: at(31) } }), 0)).toBeUndefined()
})
