import { expect, test } from 'vitest'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { auditTotals } from './identities.ts'
import { readAudit } from './reader.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
/** A report of these rows, without a checksum. */
const report = (...rows: string[]) =>
  bytes(['DXS*A*VA*V0/6*1', 'ST*001*0001', ...rows, 'SE*1*0001', 'DXE*1*1', ''].join('\r\n'))
const codes = ({ warnings }: AuditContent) => warnings.map(({ code }) => code)
const warning = ({ warnings }: AuditContent, code: string) => warnings.find((each) => each.code === code)

test('a report may follow another within one DXS', () => {
  const content = readAudit(
    bytes('DXS*A*VA*V0/6*1\r\nST*1*1\r\nVA1*1*1\r\nSE*3*1\r\nST*1*2\r\nVA1*2*2\r\nSE*3*2\r\nDXE*1*2\r\n'),
  )
  expect(content.reports).toHaveLength(2)
  expect(content.envelope).toMatchObject({ sender: 'A', reportNumber: '2' })
})

test('without a complete report, the longest one is shown', () => {
  const content = readAudit(bytes('DXS*A\r\nST*1*1\r\nVA1*1*1\r\nCA2*1*1\r\nDXS*B\r\nST*1*2\r\nVA1*2*2\r\nCA2*'))
  expect(content.reportReason).toBe('richest')
  expect(content.envelope.sender).toBe('A')
})

test('a complete report without counters does not hide a report with counters', () => {
  const content = readAudit(
    bytes('DXS*A\r\nST*1*1\r\nVA1*1*1\r\nSE*3*1\r\nDXE*1*1\r\nDXS*A\r\nST*1*2\r\nID1*A\r\nSE*3*2\r\nDXE*1*1'),
  )
  expect(content.envelope.reportNumber).toBe('1')
})

test('a start that was lost is remarked and the rest read', () => {
  const content = readAudit(bytes('VA1*700*7\r\nG85*0000\r\nSE*9*0001\r\nDXE*1*1\r\n'))
  expect(codes(content)).toEqual(expect.arrayContaining(['startMissing', 'headerMissing', 'crcFails']))
  expect(auditTotals(content, 'EUR').salesTotal).toBe(700)
})

test('text before DXS, control characters and a byte order mark are ignored', () => {
  const content = readAudit(bytes('\ufeff\u0010\u0002DXS*A*VA*V0/6*1\r\n\u0002ST*1*1\r\nVA1*7*1\r\n'))
  expect(content.envelope.sender).toBe('A')
  const inLine = readAudit(bytes('+++DXS*A*VA*V0/6*1\r\nST*1*1\r\nVA1*7*1\r\nDXE*1*1\r\n'))
  expect(inLine.envelope.sender).toBe('A')
  expect(inLine.unread.lines[0]).toEqual({ line: 1, text: '+++', isBlock: false })
})

test('text that is not UTF-8 is read as Latin', () => {
  const row = [...'PA1*1*100*Caff'].map((letter) => letter.charCodeAt(0))
  expect(readAudit(Uint8Array.from([...row, 0xe8, 0x0a])).selections[0]?.name).toBe('Caffè')
})

test('no text carries a character that a database or a screen refuses', () => {
  const content = readAudit(report('ID1*A^00^B\u0007C', 'MA5*x^0A^y', `CB1*${'🂡'.repeat(150)}`, '\u0000\u0001!'))
  expect(JSON.stringify(content)).not.toMatch(/\\u00[01]|\\ud[89a-f]/i)
  expect(content.identity.serial).toBe('A\ufffdB\ufffdC')
})

test('an empty file and a file of noise are reported as such', () => {
  expect(codes(readAudit(new Uint8Array()))).toEqual(['emptyFile'])
  expect(codes(readAudit(bytes('hello\nworld')))).toContain('noSegments')
  expect(readAudit(bytes('hello')).reportReason).toBe('none')
})

test('a list too long to show is cut, counted and still summed', () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `PA1*${index}*100\r\nPA2*1*100`)
  const content = readAudit(report('ID4*2*978*EUR', ...rows))
  expect(content.selections).toHaveLength(2000)
  expect(warning(content, 'listCut')?.params).toEqual({ list: 'selections', kept: 2000, total: 3000 })
  expect(content.identities.salesBySelection.left).toBe(300_000)
})
