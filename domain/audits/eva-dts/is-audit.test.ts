import { expect, test } from 'vitest'
import { isAudit } from './is-audit.ts'
import { readAudit } from './reader.ts'

const of = (text: string) => isAudit(readAudit(Buffer.from(text, 'latin1')))

test('noise with a line like a segment is no audit; a report that was cut off is one', () => {
  expect(of('\u0007\u00fe%\r\nCA2*12*3\r\n\u0099{~')).toBe(false)
  expect(of('')).toBe(false)
  expect(of('DXS*RHE0000000*VA*V1/1*1\r\nST*001*0001\r\nID1*NX123*S2*1\r\nVA1*100*2\r\nCA2*12*3\r\n')).toBe(true)
})
