import { describe, expect, test } from 'vitest'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { fixture } from './fixtures/read-fixture.ts'
import { auditTotals } from './identities.ts'
import { readAudit } from './reader.ts'

const codes = ({ warnings }: AuditContent) => warnings.map(({ code }) => code)
const warning = ({ warnings }: AuditContent, code: string) => warnings.find((each) => each.code === code)
const both = <T>(sinceInitialisation: T, sinceReset: T) => ({ sinceInitialisation, sinceReset })
const tallies = (...[value, count, resetValue, resetCount]: (number | null)[]) => ({
  sinceInitialisation: { value, count },
  sinceReset: { value: resetValue, count: resetCount },
})

describe('a tidy file of a snack machine', () => {
  const content = readAudit(fixture('snack-dts6'))

  test('fits the contract and survives JSON', () => {
    expect(AuditContent.parse(JSON.parse(JSON.stringify(content)))).toEqual(content)
  })

  test('holds its check sum and its segment count, and needs no remark', () => {
    expect(content.crc.verdict).toBe('holds')
    expect(content.crc.computed).toBe(content.crc.stated)
    expect(content.envelope).toMatchObject({ version: 'V0/6', layout: 'dts6', sender: 'GTN0000001', lineEnds: 'crlf' })
    expect(content.envelope.segmentsCounted).toBe(content.envelope.segmentsStated)
    expect(content.warnings).toEqual([])
    expect(content.unread).toEqual({ lines: [], total: 0 })
    expect(content.reports).toHaveLength(1)
    expect(content.reportReason).toBe('only')
  })

  test('says who the machine is and what hangs on it', () => {
    expect(content.identity).toEqual({
      serial: 'GTN0000001',
      model: 'VELA-S5',
      build: '0201',
      location: null,
      assetNumber: 'A-1701',
      controlBoard: { serial: 'CB77001', model: 'VELA-CTRL', software: '4.12' },
      clock: '2026-03-14T09:30:15',
      dstRule: 'EU',
    })
    expect(content.peripherals).toEqual([
      { kind: 'bill', serial: 'BV5521', model: 'NOTEX', software: '0110' },
      { kind: 'coin', serial: 'CH9090', model: 'SIXTUBE', software: '0307' },
      { kind: 'cashless1', serial: 'CL4410', model: 'TAPREAD', software: '2.8.1' },
    ])
  })

  test('says in what its amounts are', () => {
    expect(content.money).toEqual({
      currency: 'EUR',
      currencySource: 'code',
      reportedNumeric: '978',
      reportedCode: 'EUR',
      machineDecimals: 2,
      areDecimalsReported: true,
      digits: 2,
    })
  })

  test('reads sales by initialisation and by reset, each block in its own order', () => {
    expect(content.sales).toEqual({
      paid: tallies(35600, 320, 8900, 80),
      discounts: tallies(150, 6, 50, 2),
      surcharges: tallies(0, 0, 0, 0),
      test: tallies(360, 3, 120, 1),
      free: tallies(240, 2, 0, 0),
    })
    expect(content.payments.cash).toEqual(tallies(21600, 200, 5400, 50))
    expect(content.payments.cashless1).toEqual({
      sold: tallies(14000, 120, 3500, 30),
      debited: both(13500, 3400),
      credited: both(5000, 1000),
      discounts: tallies(150, 6, 50, 2),
      surcharges: tallies(0, 0, 0, 0),
    })
    expect(content.payments.vendTokens).toEqual(tallies(0, 0, 0, 0))
  })

  test('reads cash, with bills in minor units although the machine writes whole units beside', () => {
    const { cash } = content
    expect(cash.received).toEqual({
      sinceReset: { total: 7000, toBox: 3000, toTubes: 2000, bills: 2000, toRecycler: 500 },
      sinceInitialisation: { total: 28000, toBox: 12000, toTubes: 8000, bills: 8000, toRecycler: 1500 },
    })
    expect(cash.dispensed).toEqual(both({ dispensed: 6400, byHand: 300 }, { dispensed: 1600, byHand: 100 }))
    expect(cash).toMatchObject({
      discounts: both(80, 20),
      overpaid: both(45, 10),
      exactChangeSales: both(900, 300),
      filled: both(4000, 1000),
      tubeContents: 2350,
    })
    expect(cash.tubes).toEqual([
      { type: '0', value: 10, count: 85, filled: 50, dispensed: 25, isFull: false },
      { type: '1', value: 50, count: 30, filled: 10, dispensed: 10, isFull: true },
    ])
  })

  test('joins what it says of one coin, one bill and one recycled bill', () => {
    const { coins, bills, recyclerBills } = content.cash
    expect(coins.map(({ value }) => value)).toEqual([10, 50, 100])
    expect(coins[0]).toEqual({
      type: 1,
      value: 10,
      received: both(160, 40),
      toBox: both(40, 10),
      toTubes: both(120, 30),
      dispensed: both(100, 25),
      dispensedByHand: both(4, 1),
      filled: both(200, 50),
    })
    expect(bills[0]).toEqual({ type: 1, value: 500, received: both(16, 4), toStacker: both(12, 3) })
    expect(recyclerBills).toEqual([
      { type: 1, value: 500, received: both(3, 1), dispensed: both(2, 1), filled: both(1, 0) },
    ])
  })

  test('reads each selection with its payments', () => {
    expect(content.selections.map(({ selection, name }) => [selection, name])).toEqual([
      ['10', 'Crackers'],
      ['11', 'Noci miste'],
      ['12', 'Acqua 50 cl'],
      ['13', 'Succo pesca'],
    ])
    expect(content.selections[0]).toMatchObject({
      price: 120,
      isAbsent: false,
      level: 7,
      minimum: 2,
      sold: tallies(9600, 80, 2400, 20),
      discounts: tallies(150, 6, 50, 2),
      surcharges: null,
      test: tallies(120, 1, 0, 0),
      soldOutAt: null,
      payments: [
        { device: 'CA', priceList: '0', price: 120, sold: tallies(4800, 40, 1200, 10) },
        { device: 'DA', priceList: '1', price: 120, sold: tallies(4800, 40, 1200, 10) },
      ],
    })
    expect(content.selections[1]?.soldOutAt).toBe('2026-03-12T17:45:00')
    expect(content.selections[3]?.isAbsent).toBe(true)
    expect(content.priceRows[0]).toEqual({ priceList: '0', selection: '10', price: 120, sold: both(40, 10) })
  })

  test('reads events with their names, and keeps a maker’s own code unchanged', () => {
    expect(content.events.map(({ code, source, name, at, minutes }) => ({ code, source, name, at, minutes }))).toEqual([
      { code: 'EGS', source: 'door', name: 'doorOpen', at: '2026-03-13T18:10:00', minutes: 12 },
      { code: 'EGT', source: 'door', name: 'doorClosed', at: '2026-03-13T18:22:00', minutes: 0 },
      { code: 'EJB_12', source: 'snack', name: 'dispenseMotorFault', at: '2026-03-01T07:02:00', minutes: 95 },
    ])
    const [motor, full, makersOwn] = content.eventCounters
    expect(motor).toMatchObject({ detail: '12', times: both(4, 1), isActive: false })
    expect(full).toMatchObject({ name: 'billBoxFull', times: both(2, 1), isActive: true })
    expect(makersOwn).toMatchObject({ code: 'WZ9', source: 'other', name: null, user: 'op4', isActive: false })
  })

  test('reads readings, outages, the start of the counters and the maker’s own rows', () => {
    expect(content.reads).toEqual({
      readsWithReset: 17,
      thisAt: '2026-03-14T09:30:00',
      thisBy: 'HH-22',
      lastAt: '2026-03-07T09:15:00',
      lastBy: 'HH-21',
      reads: 64,
      resets: 17,
    })
    expect(content.powerOutages).toEqual(both(41, 3))
    expect(content.countersBeganAt).toBe('2024-01-10T08:00:00')
    expect(content.makerRows).toEqual([{ line: content.envelope.segmentsCounted - 1, elements: ['LIGHT', 'ON', '7'] }])
  })

  test('its sums agree', () => {
    expect(content.identities).toEqual({
      salesByDevice: { left: 35600, right: 35600, holds: true },
      salesBySelection: { left: 35600, right: 35600, holds: true },
      selectionsByDevice: { left: 35600, right: 35600, holds: true },
    })
    expect(auditTotals(content, 'EUR')).toEqual({
      currency: 'EUR',
      salesTotal: 35600,
      vendsTotal: 320,
      selectionsTotal: 35600,
      machineTime: '2026-03-14T09:30:15',
    })
  })
})

describe('a file that a transport left with bare LF', () => {
  const content = readAudit(fixture('hot-drinks-bare-lf'))

  test('holds its check sum over CRLF, lower-case G85 and all', () => {
    expect(content.crc.verdict).toBe('holds')
    expect(content.crc.stated).toMatch(/[a-f]/)
    expect(warning(content, 'bareLineEnds')?.params).toEqual({ found: 'lf' })
    expect(warning(content, 'lowerCaseBlock')?.params).toEqual({ block: 'G85' })
  })

  test('reads a prefixed currency number, escapes and words outside ASCII', () => {
    expect(content.money).toMatchObject({ currency: 'EUR', reportedNumeric: '1978' })
    expect(content.identity.location).toBe('Hall*2')
    expect(content.selections.map(({ name }) => name)).toEqual(['Caff* lungo', 'Tè verde'])
  })

  test('reads block names only at the start of a line', () => {
    expect(content.eventCounters[0]).toMatchObject({ code: 'NSE', times: both(9, 2), name: null })
    expect(content.selections).toHaveLength(2)
    expect(content.reports[0]?.isComplete).toBe(true)
  })

  test('keeps the lines that it cannot read, with their numbers', () => {
    expect(content.unread).toEqual({
      lines: [
        { line: 15, text: 'XQ1*whatever*SE*DXE', isBlock: true },
        { line: 16, text: 'G1*no segment', isBlock: false },
      ],
      total: 2,
    })
  })

  test('remarks a wrong segment count and continues', () => {
    const { segmentsCounted: counted } = content.envelope
    expect(warning(content, 'segmentCountDiffers')?.params).toEqual({ stated: 40, counted })
  })
})

describe('a file of an older board', () => {
  const content = readAudit(fixture('espresso-v1-swapped'))

  test('accepts a checksum with swapped bytes, and reports the swap', () => {
    expect(content.crc.verdict).toBe('holdsSwapped')
    expect(codes(content)).toContain('crcSwapped')
    expect(content.envelope.layout).toBe('older')
  })

  test('without a currency keeps the machine’s own digits, or uses the merchant’s currency', () => {
    expect(content.money).toMatchObject({ currency: null, currencySource: null, digits: 2 })
    const swapped = readAudit(fixture('espresso-v1-swapped'), { fallback: 'MXN' })
    expect(swapped.money).toMatchObject({ currency: 'MXN', currencySource: 'fallback', digits: 2 })
  })

  test('reads two-digit years', () => {
    expect(content.identity.clock).toBe('2016-02-29T23:59:00')
  })

  test('counts bills as they are if they complete the sum of cash in', () => {
    expect(content.cash.received?.sinceInitialisation.bills).toBe(15000)
    expect(codes(content)).not.toContain('billUnitUnclear')
  })

  test('does not call its sales wrong for leaving CA2 out', () => {
    expect(content.identities.salesByDevice).toEqual({ left: 12000, right: 2000, holds: null })
    expect(content.identities.salesBySelection.holds).toBe(true)
    expect(content.identities.selectionsByDevice).toEqual({ left: null, right: 12000, holds: null })
  })
})

describe('a file as a handheld collected it', () => {
  const content = readAudit(fixture('collected-two-reports'))

  test('shows the last complete report and lists both', () => {
    expect(content.reportReason).toBe('lastComplete')
    expect(content.reports.map(({ isMain, isComplete, crc }) => ({ isMain, isComplete, crc }))).toEqual([
      { isMain: false, isComplete: true, crc: 'holds' },
      { isMain: true, isComplete: true, crc: 'holds' },
    ])
    expect(content.envelope.reportNumber).toBe('0002')
    expect(auditTotals(content, 'EUR').salesTotal).toBe(800)
    expect(warning(content, 'severalReports')?.params).toEqual({ reports: 2, chosen: 'lastComplete' })
  })

  test('keeps text of the transport, and rows after the end', () => {
    expect(content.unread.lines.map(({ line, text }) => [line, text])).toEqual([
      [1, '--- carrier 7 begin ---'],
      [2, 'route=12; stop=3'],
      [29, '--- carrier 7 end ---'],
    ])
    expect(warning(content, 'textBeforeStart')?.params).toEqual({ lines: 2 })
    expect(warning(content, 'textAfterEnd')?.params).toEqual({ lines: 1 })
    expect(warning(content, 'rowsAfterEnd')).toMatchObject({ line: 28, params: { rows: 1 } })
    expect(content.powerOutages).toEqual(both(2, 1))
  })
})

describe('a file of a machine without cashless payment', () => {
  const content = readAudit(fixture('cash-only-no-values'))

  test('is read although its checksum is wrong', () => {
    expect(content.crc.verdict).toBe('fails')
    expect(warning(content, 'crcFails')?.line).toBe(15)
    expect(auditTotals(content, 'EUR')).toMatchObject({ salesTotal: 7200, vendsTotal: 60 })
  })

  test('4294967295 is no value, and no PA2 row is no sum: null, never zero', () => {
    const [selection] = content.selections
    expect(selection?.sold).toBeNull()
    expect(selection?.payments[0]?.sold.sinceInitialisation).toEqual({ count: 60, value: null })
    expect(content.identities.salesBySelection).toEqual({ left: null, right: 7200, holds: null })
    expect(content.identities.selectionsByDevice).toEqual({ left: null, right: null, holds: null })
    expect(auditTotals(content, 'EUR').selectionsTotal).toBeNull()
  })

  test('the sum of cash in decides that bills are in whole units', () => {
    expect(content.cash.received?.sinceInitialisation).toMatchObject({ total: 9500, bills: 5000 })
    expect(warning(content, 'billsInWholeUnits')?.params).toEqual({ block: 'CA3', value: 50 })
  })
})

describe('a file that was cut off', () => {
  const content = readAudit(fixture('truncated'))

  test('is read up to the cut', () => {
    expect(content.crc).toMatchObject({ verdict: 'absent', stated: null })
    expect(codes(content)).toEqual(
      expect.arrayContaining(['truncated', 'crcAbsent', 'headerVariant', 'currencyMissing']),
    )
    expect(warning(content, 'headerVariant')?.params).toEqual({ found: 'ST-1' })
    expect(content.reports[0]?.isComplete).toBe(false)
    expect(auditTotals(content, 'EUR')).toMatchObject({ salesTotal: 4400 })
  })

  test('does not believe the row in which it stops, whose last number may be half of one', () => {
    expect(content.selections.map(({ selection, sold }) => [selection, sold])).toEqual([
      ['1', tallies(2000, 20, null, null)],
      ['2', null],
    ])
    expect(content.unread.lines).toEqual([{ line: 11, text: 'PA2*24*24', isBlock: true }])
    expect(content.identities.salesBySelection).toEqual({ left: 2000, right: 4400, holds: false })
  })

  test('FFFF is no currency', () => {
    expect(content.money).toMatchObject({ currency: null, reportedNumeric: 'FFFF' })
    expect(codes(content)).not.toContain('currencyUnknown')
  })
})

describe('a file that contradicts itself', () => {
  const content = readAudit(fixture('odd-rows'))

  test('a repeated block counts where it reports something, once', () => {
    expect(content.sales.paid).toEqual(tallies(1200, 10, 1200, 12))
    expect(content.selections.map(({ selection }) => selection)).toEqual(['1', '2'])
    expect(content.selections[0]).toMatchObject({ price: 110, name: 'Uno', sold: tallies(600, 6, null, null) })
    expect(content.warnings.filter(({ code }) => code === 'blockRepeated').map(({ params }) => params)).toEqual([
      { block: 'VA1', key: '' },
      { block: 'PA1', key: '1' },
      { block: 'PA2', key: '1' },
    ])
  })

  test('unreadable values get a remark with their line, and are null', () => {
    expect(content.selections[1]?.sold?.sinceInitialisation).toEqual({ count: null, value: 600 })
    expect(warning(content, 'numberUnreadable')).toEqual({
      code: 'numberUnreadable',
      line: 16,
      params: { block: 'PA2', element: 1, text: 'six' },
    })
    expect(content.identity.clock).toBeNull()
    expect(warning(content, 'timeUnreadable')?.params).toEqual({ block: 'ID5', text: '20260231 2561' })
    expect(warning(content, 'billUnitUnclear')).toMatchObject({ line: 9 })
  })

  test('a row that belongs nowhere stays unread', () => {
    expect(warning(content, 'selectionMissing')).toMatchObject({ line: 10, params: { block: 'PA2' } })
    expect(content.unread.lines.map(({ text }) => text)).toEqual(['PA2*9*900', 'EA1**20260314*0800'])
  })

  test('a phone code is accepted as a currency, with a remark', () => {
    expect(content.money).toMatchObject({ currency: 'EUR', currencySource: 'phoneCode' })
    expect(warning(content, 'currencyFromPhoneCode')?.params).toEqual({ numeric: '039', currency: 'EUR' })
  })
})
