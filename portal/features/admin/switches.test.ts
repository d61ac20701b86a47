import { expect, test } from 'vitest'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { settingsOf, switchesOf } from './switches.ts'

test('settings are switches and back again', () => {
  const settings = { features: ['vending' as const], productFamilies: ['cashlogy' as const] }
  const switches = switchesOf(settings)
  expect(Object.keys(switches)).toEqual([...features, ...productFamilies])
  expect(switches).toMatchObject({ vending: true, network: false, cashlogy: true, gettone: false })
  expect(settingsOf(switches)).toEqual(settings)
})
