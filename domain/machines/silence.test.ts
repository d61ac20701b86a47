import { expect, test } from 'vitest'
import { silentTogether } from './silence.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 4, 4, 12, minute))
const machine = { id: 'here', lastSeenAt: at(20) }

test('machines of a place that stop answering within a quarter of an hour went offline together', () => {
  const offline = [
    machine,
    { id: 'earlier', lastSeenAt: at(5) },
    { id: 'later', lastSeenAt: at(35) },
    { id: 'long before', lastSeenAt: at(4) },
    { id: 'never online', lastSeenAt: null },
  ]
  expect(silentTogether(machine, offline).map(({ id }) => id)).toEqual(['earlier', 'later'])
})

test('a machine that was never online went offline with no other', () => {
  expect(silentTogether({ id: 'here', lastSeenAt: null }, [{ id: 'never online', lastSeenAt: null }])).toEqual([])
})
