import { expect, test } from 'vitest'
import english from '#language/en/alarms/machine-event.json'
import { alarmNameOf } from './alarmName.ts'

const words: Record<string, string> = english
const t = (key: string) => words[key.replace('machine-event:', '')] ?? key

test('a well-known code is said in words', () => {
  expect(alarmNameOf('ENE', t)).toBe('Banknote box full')
  expect(alarmNameOf('ene', t)).toBe('Banknote box full')
})

test('what a code names besides its meaning stands behind it', () => {
  expect(alarmNameOf('EJC_12', t)).toMatch(/ \(12\)$/)
})

test("a maker's own code is shown as it came", () => {
  expect(alarmNameOf('EZZ_9', t)).toBe('EZZ_9')
  expect(alarmNameOf('<b>', t)).toBe('<b>')
})

test('what the portal finds by itself is said in words', () => {
  expect(alarmNameOf('P:NODATA', t)).toBe('No data from the machine')
})
