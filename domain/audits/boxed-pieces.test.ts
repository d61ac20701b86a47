import { expect, test } from 'vitest'
import type { IntervalKind } from '#contract/vocabulary/audit.ts'
import { type PiecesRead, piecesBetween } from './boxed-pieces.ts'
import { readAudit } from './eva-dts/reader.ts'

const reading = (kind: IntervalKind, ...rows: string[]): PiecesRead => ({
  kind,
  content: readAudit(new TextEncoder().encode(['DXS*1', 'ST*1', 'ID4*2*978*EUR', ...rows, 'DXE*1*1', ''].join('\r\n'))),
})

test('all types of one value are counted together, and types without a value are left out', () => {
  const first = reading('first', 'CA11*100*0*0*0*9*5*4', 'CA11*100*0*0*0*30*20*10', 'CA11*0*0*0*0*8*8*0')
  const last = reading('counted', 'CA11*100*0*0*0*12*7*5', 'CA11*100*0*0*0*33*21*12', 'CA11*0*0*0*0*9*9*0')
  expect(piecesBetween([first, last], 'EUR')).toEqual([{ value: 100, count: 3 }])
})

test('pieces that exist since the last reset alone are added up reading by reading', () => {
  const first = reading('first', 'CA11*100*9*9*0', 'CA14*500*2*2')
  const second = reading('sinceReset', 'CA11*100*4*4*0', 'CA14*500*1*1')
  const third = reading('sinceReset', 'CA11*100*6*5*1', 'CA14*500*0*0')
  expect(piecesBetween([first, second, third], 'EUR')).toEqual([
    { value: 100, count: 9 },
    { value: 500, count: 1 },
  ])
})

test('a counter that restarted at an unknown time gives no pieces', () => {
  const rows = ['CA11*100*9*9*0*9*9*0']
  expect(piecesBetween([reading('first', ...rows), reading('reset', ...rows)], 'EUR')).toEqual([])
})

test('audits stored before the reader had types are not compared with others', () => {
  const first = reading('first', 'CA11*100*0*0*0*30*20*10')
  const old = JSON.parse(JSON.stringify(first), (key, value) => (key === 'type' ? undefined : value)) as PiecesRead
  const last = reading('counted', 'CA11*100*0*0*0*33*21*12')
  expect(piecesBetween([old, last], 'EUR')).toEqual([])
  expect(piecesBetween([old, old], 'EUR')).toEqual([])
  expect(piecesBetween([first, last], 'EUR')).toEqual([{ value: 100, count: 1 }])
})
