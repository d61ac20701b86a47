import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { countersOf } from '../audit-counters.ts'
import { intervalBetween } from '../audit-interval.ts'
import { piecesBetween } from '../boxed-pieces.ts'
import { auditedPrices } from './audited-prices.ts'
import { fixture } from './fixtures/read-fixture.ts'
import { auditTotals } from './identities.ts'
import { readAudit } from './reader.ts'

/** Hundreds of files are read here, on a machine that may be busy. */
vi.setConfig({ testTimeout: 60_000 })

const odd = [
  'DXS*GET0000061*VA*V0/6*1',
  'ID1*R1*T',
  'ID4*2*0*EURO',
  'ST*001*0001',
  'VA1*90000**500*9',
  'CA2**0*300*5',
  'CA3*0*0*0*0*3500*3500*0*0*0*0',
  'CA11*100*5*5*0*10*10*0',
  'CA11*100*3*3*0*25*25*0',
  'CA14*0*5*5*5*5',
  'CA14*0*0*0*0*0',
  'CA17*0*65535*255*0*0',
  'PA1*3*50*Caf^E9^',
  'PA2*0*0*9*500',
  'PA7*3*CA*0*50*0*0*5*300',
  'PA7*3*DA*1*65535*0*0*0*0',
  'LA1*0*3*50*9*0',
  'EA3*215*261125*1508**261118*0900',
  'DXE*1*1',
]
const files = [
  odd,
  ...['snack-dts6', 'espresso-v1-swapped'].map((name) =>
    Buffer.from(fixture(name))
      .toString('latin1')
      .split(/\r\n|[\r\n]/),
  ),
]

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const change = fc.oneof(
  fc.tuple(fc.constant('drop' as const), place, place),
  fc.tuple(fc.constant('repeat' as const), place, place),
  fc.tuple(fc.constant('swap' as const), place, place),
  fc.tuple(fc.constant('case' as const), place, place),
)

function changed(lines: readonly string[], changes: readonly (readonly [string, number, number])[]): string[] {
  const now = [...lines]
  for (const [kind, from, to] of changes) {
    const one = Math.floor(from * now.length)
    const other = Math.floor(to * now.length)
    const line = now[one] ?? ''
    if (kind === 'drop') now.splice(one, 1)
    else if (kind === 'repeat') now.splice(other, 0, line)
    else if (kind === 'case') now[one] = line.toLowerCase()
    else [now[one], now[other]] = [now[other] ?? '', line]
  }
  return now
}

test('files with lines dropped, repeated, swapped or in lower case are read, and all that follows from them', () => {
  const lineEnd = fc.constantFrom('\r\n', '\n', '\r')
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.array(change, { maxLength: 8 }), lineEnd, (lines, changes, end) => {
      const [whole, torn] = [lines, changed(lines, changes)].map((rows) =>
        readAudit(new Uint8Array(Buffer.from(rows.join(end), 'latin1')), { fallback: 'EUR' }),
      ) as [AuditContent, AuditContent]
      expect(AuditContent.parse(JSON.parse(JSON.stringify(torn)))).toEqual(torn)
      auditTotals(torn, 'EUR')
      auditedPrices(torn, 'EUR')
      const { kind, lines: moves } = intervalBetween(countersOf(whole, 'EUR'), countersOf(torn, 'EUR'))
      // No file invents vends that its counters do not have.
      for (const { moved, step } of Object.values(moves))
        for (const part of moved) if (step !== 'rolledOver') expect(part ?? 0).toBeGreaterThanOrEqual(0)
      piecesBetween(
        [
          { content: whole, kind: 'first' },
          { content: torn, kind },
        ],
        'EUR',
      )
    }),
    { numRuns: 200 },
  )
})

test('a line that is sent twice changes no counter', () => {
  const lines = odd
  const read = (rows: string[]) =>
    countersOf(readAudit(new Uint8Array(Buffer.from(rows.join('\r\n'))), { fallback: 'EUR' }), 'EUR')
  const whole = read(lines)
  for (const [index, line] of lines.entries()) {
    // Rows of LA1 count each for themselves, and a second DXS or ST begins another report.
    if (/^(LA1|DXS|ST)\*/.test(line)) continue
    expect(read(lines.toSpliced(index, 0, line)), line).toEqual(whole)
  }
})
