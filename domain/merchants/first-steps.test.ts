import { expect, test } from 'vitest'
import { firstStepsOf, type SetUp } from './first-steps.ts'

const nothing: SetUp = {
  hasPin: true,
  machines: 0,
  products: 0,
  people: 1,
  hasAlarmMails: false,
  sales: 0,
  hasVending: true,
}
const done = (facts: Partial<SetUp>) =>
  firstStepsOf({ ...nothing, ...facts })
    .filter(({ isDone }) => isDone)
    .map(({ step }) => step)

test('a new merchant has its zone, its currency and its PIN, and nothing else', () => {
  expect(done({})).toEqual(['place', 'pin'])
})

test.each([
  ['machine', { machines: 1 }],
  ['products', { products: 1 }],
  ['people', { people: 2 }],
  ['alarmMails', { hasAlarmMails: true }],
  ['sale', { sales: 1 }],
] as const)('%s is ticked by its own fact', (step, facts) => {
  expect(done(facts)).toEqual(['place', 'pin', step])
})

test('without vending, products are no step', () => {
  expect(firstStepsOf({ ...nothing, hasVending: false }).map(({ step }) => step)).not.toContain('products')
})
