import { expect, test } from 'vitest'
import { machineEventNames } from '#contract/vocabulary/machines/machine-event.ts'
import { clearedByEvent, describeEvent, eventCodes } from './event-codes.ts'

test.each([
  ['EAR', 'coin', 'coinCommunication'],
  ['EAD', 'coin', 'coinJam'],
  ['EGS', 'door', 'doorOpen'],
  ['EGT', 'door', 'doorClosed'],
  ['ELB', 'product', 'soldOut'],
  ['ENC', 'bill', 'billJam'],
  ['ENE', 'bill', 'billBoxFull'],
  ['EFL', 'water', 'waterMissing'],
  ['EDJ', 'hotDrinks', 'ingredientEmpty'],
  ['OCF', 'control', 'powerCut'],
  ['OFA', 'coin', 'coinBoxEmptied'],
  ['OFB', 'bill', 'billBoxEmptied'],
])('%s is reported as %s: %s', (code, source, name) => {
  expect(describeEvent(code)).toMatchObject({ stem: code, source, name, detail: null })
})

test('a number may follow a code, and a maker’s remark', () => {
  expect(describeEvent('EBM_1')).toMatchObject({ stem: 'EBM', name: 'cupMotorFault', detail: '1' })
  expect(describeEvent('EAU_000C')).toMatchObject({ name: 'coinMdbError', detail: '000C' })
  expect(describeEvent('OCM mdb')).toMatchObject({ stem: 'OCM', name: 'operatingFailure', detail: 'mdb' })
  expect(describeEvent(' egs ')).toMatchObject({ stem: 'EGS', name: 'doorOpen' })
})

test('the second cashless device has the codes of the first', () => {
  expect(describeEvent('EK2M')).toMatchObject({ stem: 'EK2M', source: 'cashless', name: 'cashlessCommunication' })
})

test('a maker’s own code keeps the unit that its letters name, and has no name', () => {
  expect(describeEvent('EC_ON')).toMatchObject({ source: 'control', name: null, category: null, criticity: null })
  expect(describeEvent('EAQ9')).toMatchObject({ source: 'coin', name: null })
  for (const code of ['6A', '3', 'NSE', 'OZZ', 'EZ', '', 'constructor', '__proto__']) {
    expect(describeEvent(code)).toMatchObject({ source: 'other', name: null, clearedBy: [] })
  }
})

test('some events end others', () => {
  expect(describeEvent('EGS').clearedBy).toEqual(['EGT'])
  expect(clearedByEvent('EGT')).toEqual(['EGS', 'OBB'])
  expect(clearedByEvent('OFB')).toEqual(['ENE'])
  expect(clearedByEvent('EAD')).toEqual([])
})

test('the code that clears an event is known too, and every name has its code', () => {
  const rows: { name: string; clearedBy?: readonly string[] }[] = Object.values(eventCodes)
  for (const { clearedBy = [] } of rows) for (const code of clearedBy) expect(Object.keys(eventCodes)).toContain(code)
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(machineEventNames))
  expect(new Set(machineEventNames).size).toBe(machineEventNames.length)
})
