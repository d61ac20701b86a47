import { expect, test } from 'vitest'
import { features, productFamilies } from '#contract/vocabulary/feature.ts'
import { settingsOf, switchesOf } from './switches.ts'

test('settings convert to switches and back', () => {
  const settings = {
    features: ['vending' as const],
    productFamilies: ['cashlogy' as const],
    maximumMachines: 5,
    maximumPeople: null,
  }
  const switches = switchesOf(settings)
  expect(Object.keys(switches)).toEqual([...features, ...productFamilies, 'maximumMachines', 'maximumPeople'])
  expect(switches).toMatchObject({ vending: true, network: false, cashlogy: true, gettone: false })
  expect(settingsOf(switches)).toEqual(settings)
})
