import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type FirstSteps, firstStepNames, firstSteps } from '#contract/merchants/first-steps.ts'
import { queryOf } from '#portal/app/api.ts'
import { merchant, show } from '#testkit/component/show.tsx'
import FirstStepsCard from './FirstStepsCard.tsx'

const answered = (done: readonly string[]) => ({
  query: queryOf(firstSteps.getFirstSteps, { params: { merchantId: merchant.id } }),
  is: {
    steps: firstStepNames.map((step) => ({ step, isDone: done.includes(step) })),
    isClosed: false,
  } satisfies FirstSteps,
})

test('each step says whether it is done, and leads to where it is done', async () => {
  await show(<FirstStepsCard />, ['first-steps'], [answered(['place', 'pin', 'people'])])
  expect(await screen.findByText('3 of 7 done')).toBeDefined()
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => (item.textContent?.includes('(done)') ? 'done' : 'open'))).toEqual([
    'done',
    'done',
    'open',
    'open',
    'done',
    'open',
    'open',
  ])
  expect(items[0]?.textContent).toContain('Europe/Rome · EUR')
  const links = items.slice(1).map((item) => within(item).getByRole('link').getAttribute('href')?.split('?')[0])
  expect(links).toEqual([
    '/manage/merchant-settings',
    '/associate',
    '/manage/products',
    '/manage/users/create',
    '/manage/merchant-alarms-settings',
    '/transactions/data',
  ])
})
