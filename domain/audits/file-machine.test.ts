import fc from 'fast-check'
import { expect, test } from 'vitest'
import { machineOfFile, namesOf, serialsInName } from './file-machine.ts'

const identity = {
  serial: null,
  model: null,
  build: null,
  location: null,
  assetNumber: null,
  controlBoard: null,
  clock: null,
  dstRule: null,
}
const known = {
  bySerial: new Map([
    ['VN-1001', 'a'],
    ['VN-1002', 'b'],
  ]),
  byChoice: new Map([
    ['ASSET-77', 'a'],
    ['ASSET-88', null],
  ]),
}
const of = (file: { sender?: string; names?: string[]; nameParts?: string[] }) =>
  machineOfFile({ sender: undefined, names: [], nameParts: [], ...file }, known)

test('a file is named by its modem, ID101 and ID106; fillers name no machine', () => {
  expect(namesOf({ identity: { ...identity, serial: ' vn-1001 ', assetNumber: '0000000' } }, 'Modem7')).toEqual([
    'MODEM7',
    'VN-1001',
  ])
  expect(namesOf({ identity: { ...identity, serial: '12', assetNumber: 'NONE' } }, null)).toEqual([])
})

test('the name of a file may have the serial beside a date', () => {
  expect(serialsInName('vn-1001_2026-11-21.dex')).toContain('VN-1001')
  expect(serialsInName('20261121 080000 VN-1002 audit.txt')).toContain('VN-1002')
  expect(serialsInName('audit.eva')).toEqual([])
})

test('the serial of the sender decides, and an unknown serial is a fault', () => {
  expect(of({ sender: 'vn-1002', names: ['VN-1001'] })).toEqual({ machineId: 'b', clue: 'sender' })
  expect(of({ sender: 'VN-9', names: ['VN-1001'] })).toBe('unknownSerial')
})

test('a machine is found by the file, by an earlier choice, or by the name of the file', () => {
  expect(of({ names: ['VN-1001'] })).toEqual({ machineId: 'a', clue: 'file' })
  expect(of({ names: ['ASSET-77'] })).toEqual({ machineId: 'a', clue: 'choice' })
  expect(of({ nameParts: ['VN-1002'] })).toEqual({ machineId: 'b', clue: 'fileName' })
})

test('clues that lead to two machines lead to none, nor does a name of two machines', () => {
  expect(of({ names: ['ASSET-77'], nameParts: ['VN-1002'] })).toBeNull()
  expect(of({ names: ['ASSET-88'] })).toBeNull()
  expect(of({ names: ['ASSET-88'], nameParts: ['VN-1002'] })).toEqual({ machineId: 'b', clue: 'fileName' })
})

test('a machine is found only if every clue of the file names it', () => {
  const keys = fc.constantFrom('VN-1001', 'VN-1002', 'ASSET-77', 'ASSET-88', 'X-1')
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 3 }), fc.array(keys, { maxLength: 3 }), (names, nameParts) => {
      const found = of({ names, nameParts })
      const machines = [
        ...names.flatMap((key) => [known.bySerial.get(key), known.byChoice.get(key)]),
        ...nameParts.map((key) => known.bySerial.get(key)),
      ].filter((one) => one !== undefined && one !== null)
      if (found === null) expect(new Set(machines).size).not.toBe(1)
      else expect(new Set(machines)).toEqual(new Set([(found as { machineId: string }).machineId]))
    }),
  )
})
