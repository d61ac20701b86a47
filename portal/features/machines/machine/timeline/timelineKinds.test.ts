import { expect, test } from 'vitest'
import { timelineKinds } from '#contract/machines/machine.ts'
import { chipsIn, kindsOf, timelineChips } from './timelineKinds.ts'

test('every kind of event is under one chip', () => {
  expect(kindsOf(timelineChips).toSorted()).toEqual([...timelineKinds].toSorted())
})

test('an address names chips in any order, and unknown ones are left out', () => {
  expect(chipsIn(['notes', 'alarms', 'else'])).toEqual(['alarms', 'notes'])
})
