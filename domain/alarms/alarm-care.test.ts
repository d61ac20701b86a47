import { expect, test } from 'vitest'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { isAcknowledged, remedyCommands, sellsStill } from './alarm-care.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 11, minutes))

test('an acknowledgement lasts until its time', () => {
  expect(isAcknowledged({ acknowledgedUntil: at(10) }, at(9))).toBe(true)
  expect(isAcknowledged({ acknowledgedUntil: at(10) }, at(10))).toBe(false)
  expect(isAcknowledged({ acknowledgedUntil: null }, at(0))).toBe(false)
})

test('a blocked machine sells still if it sold after its fault was last reported', () => {
  const blocked = { criticity: 4, repairedAt: null, lastAt: at(10) }
  expect(sellsStill(blocked, at(11))).toBe(true)
  expect(sellsStill(blocked, at(10))).toBe(false)
  expect(sellsStill(blocked, null)).toBe(false)
  expect(sellsStill({ ...blocked, criticity: 2 }, at(11))).toBe(false)
  expect(sellsStill({ ...blocked, repairedAt: at(12) }, at(11))).toBe(false)
})

test('a command that only reads is no remedy', () => {
  expect(remedyCommands).toContain(remoteCommandTypes.restart)
  expect(remedyCommands).not.toContain(remoteCommandTypes.readAudit)
  expect(remedyCommands).not.toContain(remoteCommandTypes.readStock)
})
