import { expect, test } from 'vitest'
import { isTable } from './table-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('tables of sales are recognised, whatever parts their columns', () => {
  expect(isTable(bytes('Machine,Date,Product,Amount\nA,2026-11-21,Espresso,1.20'))).toBe(true)
  expect(isTable(bytes('Machine;Date;Amount'))).toBe(true)
  expect(isTable(Uint8Array.of(0x50, 0x4b, 3, 4))).toBe(true)
})

test('audits, letters and noise are no tables', () => {
  expect(isTable(bytes('DXS*LAB0000001*VA*V0/6*1\r\nST*001*0001\r\n'))).toBe(false)
  expect(isTable(bytes('Dear operator, here is the file.\nRegards'))).toBe(false)
  expect(isTable(new Uint8Array())).toBe(false)
})
