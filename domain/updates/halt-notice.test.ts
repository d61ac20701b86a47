import { expect, test } from 'vitest'
import { noticeRecipients } from './halt-notice.ts'

test('a halt is mailed to users who receive notifications or started the rollout, else to all', () => {
  const users = [
    { id: 'asks', isAsking: true },
    { id: 'started', isAsking: false },
    { id: 'quiet', isAsking: false },
  ]
  const idsOf = (halt: { startedBy: string | null; haltedBy: string | null }, of = users) =>
    noticeRecipients(of, halt).map(({ id }) => id)
  expect(idsOf({ startedBy: 'started', haltedBy: null })).toEqual(['asks', 'started'])
  expect(idsOf({ startedBy: 'started', haltedBy: 'asks' })).toEqual(['started'])
  expect(idsOf({ startedBy: null, haltedBy: 'asks' })).toEqual(['started', 'quiet'])
})
