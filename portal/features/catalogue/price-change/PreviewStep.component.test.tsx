import { screen, within } from '@testing-library/react'
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
  warning: null,
})
const aPreview = (facts: Partial<Preview>): Preview => ({
  machines: 1,
  changed: 1,
  unchanged: 0,
  skipped: 0,
  prices: [aPrice(1, 12)],
  digest: 'd',
  unusual: 0,
  unusualDigest: null,
  bandPercent: 30,
  ...facts,
})
const showStep = (preview: Preview, isAgain = false, confirm: (is: boolean) => void = () => undefined) =>
  show(
    <PreviewStep
      preview={preview}
      error={undefined}
      retry={() => undefined}
      isAgain={isAgain}
      startsOn={null}
      send
      isConfirmed={false}
      confirm={confirm}
    />,
    ['price-change', 'price', 'vocabulary'],
  )

test('each old and new price is listed below its machine', async () => {
  await showStep(aPreview({ changed: 2, unchanged: 3, skipped: 1, prices: [aPrice(1, 12), aPrice(1, 13)] }))
  const rows = screen.getAllByRole('row').map((row) => row.textContent?.replaceAll(/\s/g, ' '))
  expect(rows).toEqual(['Machine 12 prices', '12 CoffeeCash 1€ 1,15→€ 1,20+4,3%', '13 CoffeeCash 1€ 1,15→€ 1,20+4,3%'])
  for (const words of ['of 6 prices', '3 already have their new value.', /^1 is skipped/])
    expect(screen.getByText(words)).toBeTruthy()
})

test('for several machines the same change of a product is one line', async () => {
  const user = await showStep(aPreview({ machines: 2, changed: 2, prices: [aPrice(1, 12), aPrice(2, 12)] }))
  expect(screen.getAllByRole('row').map((row) => row.textContent?.replaceAll(/\s/g, ' '))).toEqual([
    'Coffee2 machines€ 1,15→€ 1,20+4,3%',
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

test('unusual prices are listed apart, with their reason and a confirmation of their own', async () => {
  const unusual = { ...aPrice(1, 13), after: 100_000, warning: 'band' as const }
  const answers: boolean[] = []
  const preview = aPreview({ changed: 2, unusual: 1, unusualDigest: 'u', prices: [aPrice(1, 12), unusual] })
  const user = await showStep(preview, false, (is) => answers.push(is))
  const region = screen.getByRole('region', { name: '1 unusual price' })
  expect(within(region).getAllByRole('row')).toHaveLength(2)
  expect(within(region).getByText('Unusual change')).toBeTruthy()
  expect(within(region).getByText(/±30\s?%/)).toBeTruthy()
  await user.click(screen.getByRole('checkbox', { name: 'Also set 1 unusual price' }))
  expect(answers).toEqual([true])
})
