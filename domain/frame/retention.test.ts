import { expect, test } from 'vitest'
import { readRetention, retentionDefaults } from './retention.ts'

test('a table that is not named keeps its default', () => {
  expect(readRetention('')).toEqual(retentionDefaults)
  expect(readRetention(' events = 12, transactions=5 ,')).toEqual({ ...retentionDefaults, events: 12, transactions: 5 })
})

test.each([
  'events',
  'events=',
  'events=4',
  'events=1201',
  'events=1.5',
  'events=-12',
  'alarms=12',
  'constructor=12',
  'events=12;audits=12',
])('%s is refused', (text) => {
  expect(readRetention(text)).toBeUndefined()
})
