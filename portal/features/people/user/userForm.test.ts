import { expect, test } from 'vitest'
import { begun, nobodyYet, sentOf } from './userForm.ts'

const all = { merchantId: 'A', allGroups: true, groupIds: [] }
const none = { ...all, allGroups: false }
const someGroups = { ...none, groupIds: ['a1'] }

test('a new user has all groups, a group admin none', () => {
  expect(nobodyYet({ id: 'A' }, 'merchantUser').merchants).toEqual([all])
  expect(nobodyYet({ id: 'A' }, 'merchantAdmin').merchants).toEqual([all])
  expect(nobodyYet({ id: 'A' }, 'groupAdmin').merchants).toEqual([none])
})

test('a change of role keeps the chosen groups and adds none', () => {
  for (const role of ['groupAdmin', 'merchantAdmin', 'merchantUser'] as const)
    expect(begun(someGroups, role)).toEqual(someGroups)
})

test('a merchant admin is sent with whole merchants, other users as chosen', () => {
  const made = { ...nobodyYet({ id: 'A' }, 'groupAdmin'), merchants: [someGroups] }
  expect(sentOf(made).merchants).toEqual([someGroups])
  expect(sentOf({ ...made, role: 'merchantUser' }).merchants).toEqual([someGroups])
  expect(sentOf({ ...made, role: 'merchantAdmin' }).merchants).toEqual([all])
})
