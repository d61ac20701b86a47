import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { readAudit } from './reader.ts'
import { type AuditCounters, writeAudit } from './write-audit.ts'

const counters: AuditCounters = {
  serial: 'GTN*0042',
  model: 'BREVA 8',
  software: '1.4^2',
  build: '0100',
  assetNumber: 'A-42',
  boardSerial: 'CB42',
  decimals: 2,
  currency: 'EUR',
  time: '2026-11-21T08:15:30',
  selections: [
    {
      selection: '1',
      name: 'Caffè lungo',
      price: 80,
      count: 100,
      value: 8000,
      sinceReset: { count: 10, value: 800 },
      payments: [
        { device: 'CA', priceList: 0, count: 60, value: 4800 },
        { device: 'DA', priceList: 1, count: 40, value: 3200 },
      ],
    },
    { selection: '2', price: 100, count: 0, value: 0, isAbsent: true, level: 0, minimum: 3 },
  ],
  test: { count: 2, value: 160 },
  free: { count: 1, value: 80 },
  cash: {
    count: 60,
    value: 4800,
    sinceReset: { count: 6, value: 480 },
    in: { toBox: 3000, toTubes: 1500, bills: 1000 },
    dispensed: 700,
    dispensedByHand: 50,
    overpaid: 20,
    filled: 2000,
  },
  cashless: { count: 40, value: 3200, serial: 'CL1', model: 'TAP', software: '2', credited: 1000 },
  tubes: [{ type: 0, value: 10, count: 80, isFull: true }],
  coins: [{ value: 10, toBox: 5, toTubes: 75, dispensed: 12 }],
  bills: [{ value: 500, count: 2 }],
  events: [{ code: 'EDJ_1', at: '2026-11-20T18:00:00', minutes: 30 }],
  eventCounters: [{ code: 'EDJ_1', count: 3, isActive: false }],
  reads: 12,
  powerOutages: 4,
}

test('the file is a correct DTS 6 file: CRLF, checksum, segment count', () => {
  const file = writeAudit(counters)
  const text = new TextDecoder().decode(file)
  expect(text.startsWith('DXS*GTN^2A^0042*VA*V0/6*1\r\nST*001*0001\r\nID1*')).toBe(true)
  expect(text.endsWith('\r\nDXE*1*1\r\n')).toBe(true)
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(readAudit(file)).toMatchObject({ crc: { verdict: 'holds' }, warnings: [], unread: { total: 0 } })
})

test('reading a written file gives the same values', () => {
  const content = readAudit(writeAudit(counters))
  expect(content).toMatchObject({
    identity: {
      serial: 'GTN*0042',
      model: 'BREVA 8',
      assetNumber: 'A-42',
      clock: '2026-11-21T08:15:30',
      controlBoard: { serial: 'CB42', software: '1.4^2' },
    },
    money: { currency: 'EUR', digits: 2 },
    sales: { paid: { sinceInitialisation: { value: 8000, count: 100 }, sinceReset: { value: null, count: null } } },
    cash: {
      received: { sinceInitialisation: { total: 5500, toBox: 3000, toTubes: 1500, bills: 1000 } },
      dispensed: { sinceInitialisation: { dispensed: 700, byHand: 50 } },
      tubeContents: 800,
      tubes: [{ type: '0', value: 10, count: 80, isFull: true }],
    },
    reads: { reads: 12, thisAt: '2026-11-21T08:15:30' },
    powerOutages: { sinceInitialisation: 4, sinceReset: null },
  })
  expect(content.selections[0]).toMatchObject({ name: 'Caffè lungo', sold: { sinceReset: { count: 10, value: 800 } } })
  expect(content.selections[1]).toMatchObject({ name: null, isAbsent: true, level: 0, minimum: 3 })
  expect(content.events[0]).toMatchObject({ name: 'ingredientEmpty', detail: '1', minutes: 30 })
  expect(content.eventCounters[0]).toMatchObject({ times: { sinceInitialisation: 3 }, isActive: false })
  expect(Object.values(content.identities).map(({ holds }) => holds)).toEqual([true, true, true])
})

test('without payment devices the sales are those of the selections', () => {
  const { cash: _, cashless: __, ...rest } = counters
  const { sales, payments } = readAudit(writeAudit({ ...rest, test: undefined, free: undefined }))
  expect(sales.paid?.sinceInitialisation).toEqual({ value: 8000, count: 100 })
  expect(sales).toMatchObject({ test: null, free: null })
  expect(payments).toMatchObject({ cash: null, cashless1: null })
})

test('counters in any currency are read back unchanged', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((word) => word.trim() === word && !/\p{C}/u.test(word))
  const amount = fc.nat({ max: 2 ** 30 })
  const sold = fc.record({
    selection: fc.stringMatching(/^[A-F]?\d{1,3}$/),
    name: text,
    price: amount,
    count: amount,
    value: amount,
  })
  const selections = fc.uniqueArray(sold, { selector: ({ selection }) => selection, maxLength: 8 })
  const currency = fc.constantFrom(...(Object.keys(currencies) as Currency[]))
  fc.assert(
    fc.property(text, selections, currency, (serial, rows, code) => {
      // Vends of no value at all are a machine that counts no values (uncounted-values.ts).
      fc.pre(rows.every(({ count }) => count === 0) || rows.some(({ value }) => value > 0))
      const { storageDigits: decimals } = currencies[code]
      const base = { model: 'M', software: '1', decimals, currency: code, time: '2026-02-28T23:59:59' }
      const content = readAudit(writeAudit({ ...base, serial, selections: rows }))
      expect(content.crc.verdict).toBe('holds')
      // Random amounts are no prices that anybody pays.
      const ofScale = ['amountsImplausible', 'countersOutOfScale']
      expect(content.warnings.filter(({ code }) => !ofScale.includes(code))).toEqual([])
      expect(content.identity.serial).toBe(serial)
      expect(
        content.selections.map(({ selection, name, price, sold: tallies }) => ({
          selection,
          name,
          price,
          ...tallies?.sinceInitialisation,
        })),
      ).toEqual(rows)
    }),
  )
})
