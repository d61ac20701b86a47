import { expect, test } from 'vitest'
import { collectionStatuses } from '#contract/vocabulary/cash.ts'
import { countSightOf } from './blind-count.ts'

test('only the first count of a user without sight of cash boxes is a blind one', () => {
  const blind = { isBlind: true, seesBoxes: false }
  expect(countSightOf('open', blind)).toBe('blind')
  expect(countSightOf('open', { ...blind, seesBoxes: true })).toBe('seen')
  for (const status of collectionStatuses.filter((one) => one !== 'open'))
    expect(countSightOf(status, blind)).toBe('again')
})

test('a merchant that does not count blind marks no count', () => {
  for (const status of collectionStatuses) expect(countSightOf(status, { isBlind: false, seesBoxes: false })).toBeNull()
})
