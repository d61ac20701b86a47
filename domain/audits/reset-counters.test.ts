import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AuditCounters, countersOf } from './audit-counters.ts'
import { comparable, intervalBetween } from './audit-interval.ts'
import { readAudit } from './eva-dts/reader.ts'

/** What a machine sold since its last reset, when it was read, and as which of the readings that reset. */
interface Reading {
  cash: number
  card: number
  /** EA301, and the minute of this and the previous reading on a day. */
  number?: number
  minute?: number
  previous?: number
  /** VA101, which such machines keep for ever. */
  value?: number
}
const price = 50
const two = (number: number) => String(number).padStart(2, '0')
/** `YYMMDD*HHMM` of a minute from 1 November on. */
const day = (minute: number | undefined) =>
  minute === undefined
    ? '*'
    : `2611${two(1 + Math.floor(minute / 1440))}*${two(Math.floor((minute % 1440) / 60))}${two(minute % 60)}`

/** A file whose counters exist only since the last reset. */
function read({ cash, card, number, minute, previous, value }: Reading): AuditCounters {
  const rows = [
    `VA1*${value ?? ''}**${(cash + card) * price}*${cash + card}`,
    `CA2**0*${cash * price}*${cash}`,
    `DA2**0*${card * price}*${card}`,
    'PA1*3*50',
    `PA2***${cash + card}*${(cash + card) * price}`,
    ...(number === undefined ? [] : [`EA3*${number}*${day(minute)}**${day(previous)}`]),
  ]
  const text = ['DXS*GET0000043*VA*V0/6*1', 'ST*001*0001', 'ID1*R1*T', 'ID4*2*978*EUR', ...rows, 'DXE*1*1', '']
  return countersOf(readAudit(new TextEncoder().encode(text.join('\r\n'))), 'EUR')
}
const between = (before: Reading, now: Reading) => intervalBetween(read(before), read(now))
const compared = (before: Reading, now: Reading) => {
  const interval = between(before, now)
  const { sold, cash, other } = comparable(interval)
  return { kind: interval.kind, sold, cash, other }
}

describe('counters that exist only since the last reset', () => {
  const first: Reading = { cash: 9, card: 64, number: 215, minute: 908, value: 1_489_335 }

  test('count the interval if the previous reading reset them', () => {
    const second = { cash: 59, card: 113, number: 216, minute: 2394, previous: 908, value: 1_497_935 }
    expect(compared(first, second)).toEqual({
      kind: 'sinceReset',
      sold: [172, 8600],
      cash: [59, 2950],
      other: [113, 5650],
    })
    expect(between(first, second).selections.get('3')).toEqual({ step: 'sinceReset', moved: [172, 8600] })
    // Without the value that such machines keep for ever.
    expect(compared({ ...first, value: undefined }, { ...second, value: undefined })).toMatchObject({
      sold: [172, 8600],
    })
  })

  test('grew as usual if no reading reset them in between', () => {
    const second = { cash: 12, card: 70, number: 215, minute: 2394, previous: 908 }
    expect(compared({ ...first, value: undefined }, second)).toEqual({
      kind: 'counted',
      sold: [9, 450],
      cash: [3, 150],
      other: [6, 300],
    })
  })

  test('are a minimum if another reading reset them in between, and are not compared', () => {
    const lost = { cash: 59, card: 113, number: 217, minute: 2394, previous: 1500 }
    const other = { cash: 59, card: 113, number: 216, minute: 2394, previous: 1500 }
    for (const second of [lost, other]) {
      expect(compared({ ...first, value: undefined }, second)).toEqual({
        kind: 'reset',
        sold: [null, null],
        cash: [null, null],
        other: [null, null],
      })
      expect(between({ ...first, value: undefined }, second).lines.cashSold).toEqual({
        step: 'restarted',
        moved: [59, 2950],
      })
    }
    // The value that the machine keeps for ever stays exact.
    expect(compared(first, { ...lost, value: 1_500_000 })).toMatchObject({ kind: 'partlyReset', sold: [null, 10_665] })
  })

  test('say nothing without a number of readings, unless they fell', () => {
    const plain = { cash: 9, card: 64 }
    expect(compared(plain, { cash: 59, card: 113 })).toMatchObject({ sold: [null, null], cash: [null, null] })
    expect(compared(plain, { cash: 2, card: 3 })).toMatchObject({ kind: 'reset', sold: [null, null] })
  })

  test('are proved by a counter that the machine keeps both ways', () => {
    expect(compared({ ...first, number: undefined }, { cash: 59, card: 113, value: 1_497_935 })).toMatchObject({
      kind: 'sinceReset',
      sold: [172, 8600],
    })
    expect(compared({ ...first, number: undefined }, { cash: 12, card: 70, value: 1_489_335 + 450 })).toMatchObject({
      kind: 'counted',
      sold: [9, 450],
    })
  })

  test('of readings in a row add up to all sales, with any of the readings resetting', () => {
    const step = fc.record({ cash: fc.nat(40), card: fc.nat(40), isReset: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), (steps, hasValue) => {
        let cash = 0
        let card = 0
        let number = 7
        let value = 100_000
        let previous: number | undefined
        const readings = [{ cash: 3, card: 2, isReset: true }, ...steps].map((sold, index) => {
          cash += sold.cash
          card += sold.card
          value += (sold.cash + sold.card) * price
          const reading: Reading = { cash, card, number, minute: index * 60, previous, ...(hasValue && { value }) }
          previous = index * 60
          if (sold.isReset) [cash, card, number] = [0, 0, number + 1]
          return read(reading)
        })
        const sums = readings.slice(1).map((now, index) => comparable(intervalBetween(readings[index] ?? null, now)))
        const sum = (of: (each: (typeof sums)[number]) => number | null) =>
          sums.reduce((all, each) => all + (of(each) ?? Number.NaN), 0)
        const total = (of: (sold: (typeof steps)[number]) => number) => steps.reduce((all, each) => all + of(each), 0)
        expect(sum(({ cash: [count] }) => count)).toBe(total((sold) => sold.cash))
        expect(sum(({ sold: [count] }) => count)).toBe(total((sold) => sold.cash + sold.card))
        expect(sum(({ sold: [, money] }) => money)).toBe(total((sold) => (sold.cash + sold.card) * price))
      }),
      { numRuns: 60 },
    )
  })
})

describe('a file that is older than the reading before it', () => {
  const old: Reading = { cash: 9, card: 64, number: 215, minute: 908, value: 1_489_335 }
  const now: Reading = { cash: 59, card: 113, number: 216, minute: 2394, previous: 908, value: 1_497_935 }

  test('is named so by its clock or its number, and is no reset', () => {
    expect(between(now, old).kind).toBe('older')
    expect(between({ ...now, minute: undefined }, { ...old, minute: undefined }).kind).toBe('older')
  })

  test('is none if a counter grew, or if the machine’s memory was cleared', () => {
    expect(between(now, { ...old, value: 1_499_000 }).kind).not.toBe('older')
    expect(between({ ...now, minute: undefined }, { ...old, number: 1, minute: undefined, value: 100 }).kind).toBe(
      'reset',
    )
    expect(between(now, { cash: 1, card: 1, number: 1, minute: 3000, value: 100 }).kind).toBe('reset')
  })
})

test('sales that are only in PA7, in CA2 and DA2, or in LA1 are counted', () => {
  const file = (...rows: string[]) =>
    countersOf(
      readAudit(new TextEncoder().encode(['DXS*1', 'ST*1', 'ID4*2*978*EUR', ...rows, 'DXE*1*1', ''].join('\r\n'))),
      'EUR',
    )
  const moved = (before: AuditCounters, after: AuditCounters) => {
    const interval = intervalBetween(before, after)
    return { kind: interval.kind, sold: comparable(interval).sold, selection: interval.selections.get('04')?.moved }
  }
  expect(
    moved(
      file('PA1*04*250', 'PA7*04*CA*0*250*13*3250', 'PA7*04*DA*0*250*1*250'),
      file('PA1*04*250', 'PA7*04*CA*0*250*15*3750', 'PA7*04*DA*0*250*2*500'),
    ),
  ).toEqual({ kind: 'counted', sold: [3, 750], selection: [3, 750] })
  expect(moved(file('CA2*700*3', 'DA2*500*2'), file('CA2*900*4', 'DA2*500*2'))).toMatchObject({
    kind: 'counted',
    sold: [1, 200],
  })
  expect(moved(file('LA1*0*04*250*0*9', 'LA1*1*04*200*0*4'), file('LA1*0*04*250*0*9', 'LA1*1*04*200*0*6'))).toEqual({
    kind: 'counted',
    sold: [2, null],
    selection: [2, null],
  })
})

test('vends without values are compared by their number alone', () => {
  const file = (count: number) =>
    countersOf(
      readAudit(
        new TextEncoder().encode(
          ['DXS*1', 'ST*1', 'ID4*2', `VA1*0*${count}*0*1`, 'PA1*1*150', `PA2*${count}*0*0*0`, 'DXE*1*1', ''].join(
            '\r\n',
          ),
        ),
        {
          fallback: 'EUR',
        },
      ),
      'EUR',
    )
  expect(comparable(intervalBetween(file(640), file(643))).sold).toEqual([3, null])
})
