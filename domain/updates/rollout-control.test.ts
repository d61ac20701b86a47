import { expect, test } from 'vitest'
import { isOwnRule, possibleCommands } from './rollout-control.ts'
import { tallyOf } from './rollout-tally.ts'

const bad = tallyOf([{ state: 'failed', isAccepted: false, count: 1 }])

test('a halted rollout can be resumed, retried, returned and ended; an ended one cannot be changed', () => {
  const at = (state: 'halted' | 'running' | 'ended' | 'draft') =>
    possibleCommands({ state, direction: 'forward', cohort: 0 }, bad)
  expect(at('halted')).toEqual(['resume', 'retry', 'back', 'end'])
  expect(at('running')).toEqual(['pause', 'halt', 'retry', 'back', 'end'])
  expect(at('draft')).toEqual(['start'])
  expect(at('ended')).toEqual([])
  const back = { state: 'running', direction: 'back', cohort: 0 } as const
  expect(possibleCommands(back, bad)).toEqual(['pause', 'halt', 'retry', 'end'])
})

test('users of some groups change rules of their groups only', () => {
  const ofGroups = { target: { by: 'groups' as const, groupIds: ['a', 'b'] }, withinGroups: null }
  expect(isOwnRule(ofGroups, null)).toBe(true)
  expect(isOwnRule(ofGroups, ['a', 'b', 'c'])).toBe(true)
  expect(isOwnRule(ofGroups, ['a'])).toBe(false)
  const ofTypes = { target: { by: 'deviceTypes' as const, deviceTypes: ['AZVT' as const] }, withinGroups: ['a'] }
  expect(isOwnRule(ofTypes, ['a'])).toBe(true)
  expect(isOwnRule({ ...ofTypes, withinGroups: null }, ['a'])).toBe(false)
})
