import { expect, test } from 'vitest'
import { begun, mayHaveAll, nobodyYet } from './userForm.ts'

const seen = { id: 'A', seesAllGroups: true }

test('somebody new begins with all groups, a group admin and whoever is made by an admin of some groups with none', () => {
  const all = { merchantId: 'A', allGroups: true, groupIds: [] }
  expect(nobodyYet(seen, 'merchantUser').merchants).toEqual([all])
  expect(nobodyYet(seen, 'groupAdmin').merchants).toEqual([{ ...all, allGroups: false }])
  expect(nobodyYet({ ...seen, seesAllGroups: false }, 'merchantUser').merchants).toEqual([{ ...all, allGroups: false }])
})

test('with another role the groups that were chosen stay, and no others are given instead of them', () => {
  const chosen = { merchantId: 'A', allGroups: false, groupIds: ['a1'] }
  for (const role of ['groupAdmin', 'merchantUser'] as const)
    expect(begun(chosen, mayHaveAll(role, seen))).toEqual(chosen)
})
