import { expect, test } from 'vitest'
import english from '#language/en/alarms/machine-event.json'
import { alarmNameOf } from './alarmName.ts'

const words: Record<string, string> = english
const t = (key: string) => words[key.replace('machine-event:', '')] ?? key

test('a well-known code is shown by its name', () => {
  expect(alarmNameOf('ENE', t)).toBe('Banknote box full')
  expect(alarmNameOf('ene', t)).toBe('Banknote box full')
})

test('the details of a code follow its name', () => {
  expect(alarmNameOf('EJC_12', t)).toMatch(/ \(12\)$/)
})

test("a maker's own code is shown unchanged", () => {
  expect(alarmNameOf('EZZ_9', t)).toBe('EZZ_9')
  expect(alarmNameOf('<b>', t)).toBe('<b>')
})

test('alarms raised by the portal are shown by their names', () => {
  expect(alarmNameOf('P:NODATA', t)).toBe('No data from the machine')
})
