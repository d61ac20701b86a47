import { expect, test } from 'vitest'
import { isFilterOffered } from './enabled.ts'

const merchant = { features: new Set(['vending'] as const), families: new Set(['gettone'] as const), isAll: false }
const all = { ...merchant, isAll: true }

test('a filter by a feature is offered if the merchant has the feature', () => {
  expect(isFilterOffered({ feature: 'vending' }, merchant)).toBe(true)
  expect(isFilterOffered({ family: 'gettone' }, merchant)).toBe(true)
  expect(isFilterOffered({ feature: 'network' }, merchant)).toBe(false)
})

test('under all merchants nothing is filtered by features, even if one merchant has them', () => {
  expect(isFilterOffered({ feature: 'vending' }, all)).toBe(false)
  expect(isFilterOffered({ family: 'gettone' }, all)).toBe(false)
  expect(isFilterOffered({}, all)).toBe(true)
})
