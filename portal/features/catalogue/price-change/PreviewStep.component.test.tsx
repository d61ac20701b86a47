import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PricePreview } from '#contract/catalogue/price-change.ts'
import { show } from '#testkit/component/show.tsx'
import { type Preview, PreviewStep } from './PreviewStep.tsx'

const aPrice = (machine: number, selection: number): PricePreview => ({
  posId: `01990000-0000-7000-8000-${String(machine).padStart(12, '0')}`,
  posName: `Machine ${machine}`,
  currency: 'EUR',
  selection: String(selection),
  product: 'Coffee',
  priceTable: 1,
  before: 115,
  after: 120,
})
const aPreview = (facts: Partial<Preview>): Preview => ({
  machines: 1,
  changed: 1,
  unchanged: 0,
  skipped: 0,
  prices: [aPrice(1, 12)],
  digest: 'd',
  ...facts,
})
const showStep = (preview: Preview, isAgain = false) =>
  show(
    <PreviewStep preview={preview} error={undefined} retry={() => undefined} isAgain={isAgain} startsOn={null} send />,
    ['price-change', 'price', 'vocabulary'],
  )

test('each old and new price is listed below its machine', async () => {
  await showStep(aPreview({ changed: 2, unchanged: 3, skipped: 1, prices: [aPrice(1, 12), aPrice(1, 13)] }))
  const rows = screen.getAllByRole('row').map((row) => row.textContent?.replaceAll(/\s/g, ' '))
  expect(rows).toEqual(['Machine 12 prices', '12 CoffeeCash 1€ 1,15→€ 1,20+4.3%', '13 CoffeeCash 1€ 1,15→€ 1,20+4.3%'])
  for (const words of ['of 6 prices', '3 already have their new value.', /^1 is skipped/])
    expect(screen.getByText(words)).toBeTruthy()
})

test('for several machines the same change of a product is one line', async () => {
  const user = await showStep(aPreview({ machines: 2, changed: 2, prices: [aPrice(1, 12), aPrice(2, 12)] }))
  expect(screen.getAllByRole('row').map((row) => row.textContent?.replaceAll(/\s/g, ' '))).toEqual([
    'Coffee2 machines€ 1,15→€ 1,20+4.3%',
  ])
  await user.click(screen.getByRole('radio', { name: 'By machine' }))
  expect(screen.getAllByRole('row')).toHaveLength(4)
})

test('of 20,000 prices only those in view are in the page', async () => {
  const prices = Array.from({ length: 20_000 }, (_, index) => aPrice(Math.floor(index / 100), index))
  const user = await showStep(aPreview({ machines: 200, changed: 20_000, prices }))
  await user.click(screen.getByRole('radio', { name: 'By machine' }))
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('20200')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})

test('a preview that replaces an older one says so', async () => {
  await showStep(aPreview({}), true)
  expect(screen.getByRole('alert').textContent).toContain('Check the new preview')
})
