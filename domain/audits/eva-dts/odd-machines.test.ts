import { describe, expect, test } from 'vitest'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { identitiesAtRead } from '../account-identities.ts'
import { countersOf } from '../audit-counters.ts'
import { paidSales, soldOf } from '../paid-sales.ts'
import { auditedPrices } from './audited-prices.ts'
import { auditTotals } from './identities.ts'
import { readAudit } from './reader.ts'

/** A report of these rows, of a merchant who sells in euros. */
const read = (rows: string[], fallback: Currency = 'EUR') =>
  readAudit(
    new TextEncoder().encode(
      ['DXS*GET0000041*VA*V0/6*1', 'ST*001*0001', ...rows, 'SE*1*0001', 'DXE*1*1', ''].join('\r\n'),
    ),
    { fallback },
  )
const euro = 'ID4*2*978*EUR'
const codes = ({ warnings }: AuditContent) => warnings.map(({ code }) => code)
const failed = (content: AuditContent) =>
  identitiesAtRead(countersOf(content, 'EUR')).flatMap(({ identity, holds }) => (holds === false ? [identity] : []))

describe('the currency', () => {
  test.each([
    'ID4*2*0*1',
    'ID4*2*0*EURO',
    'ID4*2*0*€',
    'ID4*2*0*EU',
    'ID4*2**---',
    'ID4*2**255',
    'ID4*2*255*',
    'ID4*2*65535*65535',
  ])('%s names none, so it is the machine’s, with a warning', (id4) => {
    const content = read([id4, 'VA1*2400*2', 'PA1*01*1200', 'PA2*2*2400'])
    expect(content.money).toMatchObject({ currency: 'EUR', currencySource: 'fallback' })
    expect(codes(content)).toContain('currencyUnreadable')
    expect(auditTotals(content, 'EUR')).toMatchObject({ currency: 'EUR', salesTotal: 2400 })
  })

  test('that the product does not know stays unknown', () => {
    expect(read(['ID4*2*756*CHF']).money.currency).toBeNull()
    expect(read(['ID4*2*756*1']).money.currency).toBeNull()
  })
})

test('a machine that says who it is before ST has sent one report, with its serial and currency', () => {
  const rows = ['DXS*GET0000041*VA*V0/6*1', 'ID1*GET-77*M', 'ID4*2*840*USD', 'ST*001*0001', 'VA1*700*2', 'SE*3*0001']
  const content = readAudit(new TextEncoder().encode([...rows, 'DXE*1*1', ''].join('\r\n')), { fallback: 'EUR' })
  expect(content.reports).toHaveLength(1)
  expect(content.identity.serial).toBe('GET-77')
  expect(content.money.currency).toBe('USD')
  expect(content.envelope).toMatchObject({ segmentsStated: 3, segmentsCounted: 3 })
})

describe('types of coins and bills', () => {
  const twice = [
    euro,
    'CA3*0*0*0*0*5600*2000*3000*6*0*600',
    'CA11*50*0*0*0*20*10*10',
    'CA11*100*0*0*0*7*5*2',
    'CA11*100*0*0*0*33*10*23',
    'CA12*100*0*0*4*0',
    'CA12*100*0*0*5*0',
    'CA14*500*0*0*3*1',
    'CA14*100*0*0*1*1',
  ]

  test('of one value are counted each, and their sum is the total', () => {
    const content = read(twice)
    expect(codes(content)).not.toContain('blockRepeated')
    expect(content.cash.coins.map(({ type, value, toBox }) => [type, value, toBox.sinceInitialisation])).toEqual([
      [1, 50, 10],
      [2, 100, 5],
      [3, 100, 10],
    ])
    const { lines } = countersOf(content, 'EUR')
    expect(lines).toMatchObject({ toBox: [null, 2000], coinsToBox: [null, 2000], coinsToTubes: [null, 3000] })
    expect(lines.coinsPaidOut).toEqual([null, 900])
  })

  test('match the banknotes of CA3 if all of them, or those in the stacker, add up to it', () => {
    // 16.00 were accepted and 6.00 stacked; this machine counts the latter as cash in.
    expect(countersOf(read(twice), 'EUR').lines).toMatchObject({
      bills: [null, 600],
      billsByValue: [null, 1600],
      billsToStacker: [null, 600],
    })
    expect(failed(read(twice))).toEqual([])
    expect(failed(read(twice.map((row) => row.replace('*600', '*1600').replace('*5600', '*6600'))))).toEqual([])
    expect(failed(read(twice.map((row) => row.replace('*600', '*700').replace('*5600', '*5700'))))).toEqual([
      'billsByValue',
    ])
  })

  test('with the same counters twice are a repeated row, which counts once', () => {
    const content = read([...twice, 'CA11*50*0*0*0*20*10*10'])
    expect(codes(content)).toContain('blockRepeated')
    expect(countersOf(content, 'EUR').lines.coinsToBox).toEqual([null, 2000])
  })

  test('without a value keep their counts, and no money is claimed of them', () => {
    const rows = ['CA14*0*7*7*21*21', 'CA14*0*0*0*0*0', 'CA14**5**5', 'CA14*65535*1**1']
    const content = read([euro, 'VA1*900*6', 'CA3*0*0*0*0*900*0*0*0*0*900', ...rows])
    expect(content.cash.bills.map(({ type, value, received }) => [type, value, received.sinceInitialisation])).toEqual([
      [1, null, 21],
      [2, null, 0],
      [3, null, 5],
      [4, null, 1],
    ])
    expect(codes(content)).not.toContain('blockRepeated')
    expect(countersOf(content, 'EUR').lines.billsByValue).toBeUndefined()
    expect(failed(content)).toEqual([])
  })

  test('tubes that were never set up hold nothing that is known', () => {
    const content = read([euro, 'CA15*65535', 'CA17*0*65535*255*65535*65535*255', 'CA17*1*0*0'])
    expect(content.cash.tubes[0]).toMatchObject({
      value: null,
      count: null,
      filled: null,
      dispensed: null,
      isFull: null,
    })
    expect(content.cash.tubes[1]).toMatchObject({ value: null, count: 0 })
    expect(content.cash.tubeContents).toBeNull()
    expect(countersOf(content, 'EUR').tubesCounted).toBeNull()
  })
})

describe('price lists that PA7 numbers per payment device', () => {
  const prices = (...rows: string[]) =>
    auditedPrices(read([euro, 'VA1*5000*20', 'PA1*7*250', ...rows]), 'EUR').map(({ priceTable, price }) => [
      priceTable,
      price,
    ])

  test('are each device’s own price tables, and 65535 is no price', () => {
    const priceLines = prices('PA7*7*CA*0*250*20*5000', 'PA7*7*DA*1*100*0*0', 'PA7*7*DA*2*65535*0*0')
    expect(priceLines).toEqual([
      [1, 250],
      [6, 100],
    ])
    expect(prices('PA7*7*CA*1*250*20*5000', 'PA7*7*DA*1*100*0*0', 'PA7*7*DB*1*120*0*0')).toEqual([
      [1, 250],
      [6, 100],
      [7, 120],
    ])
  })

  test('are Gettone’s tables where each device uses numbers of its own', () => {
    expect(prices('PA7*7*CA*1*250*20*5000', 'PA7*7*DA*2*200*0*0', 'PA7*7*DA*6*230*0*0', 'PA7*7*CA*8*240*0*0')).toEqual([
      [1, 250],
      [2, 200],
      [6, 230],
      [8, 240],
    ])
  })

  test('a selection without a price has none', () => {
    expect(read([euro, 'PA1*7*65535']).selections[0]?.price).toBeNull()
  })
})

describe('paid sales', () => {
  const totals = (...rows: string[]) => {
    const content = read([euro, ...rows])
    const { salesTotal, vendsTotal } = auditTotals(content, 'EUR')
    return { from: paidSales(content)?.from, vends: vendsTotal, money: salesTotal }
  }

  test('are read where the machine counts them', () => {
    const selection = 'PA1*04*250'
    const payment = 'PA7*04*CA*0*250*14*3500'
    expect(totals('VA1*900*5', selection, payment)).toEqual({ from: 'VA1', vends: 5, money: 900 })
    expect(totals(selection, 'PA2*6*1500', payment)).toEqual({ from: 'ΣPA2', vends: 6, money: 1500 })
    expect(totals(selection, payment)).toEqual({ from: 'ΣPA7', vends: 14, money: 3500 })
    expect(totals('CA2*700*3', 'DA2*500*2')).toEqual({ from: 'CA2 DA2', vends: 5, money: 1200 })
    expect(totals('LA1*0*04*250*2*9', 'LA1*1*04*200*1*4')).toEqual({ from: 'ΣLA1', vends: 13, money: null })
    expect(totals('CA3*0*0*0*0*100*0*0*0')).toEqual({ from: undefined, vends: null, money: null })
  })

  test('of a selection are the sum of its payments where PA2 is missing', () => {
    const content = read([euro, 'PA1*04*250', 'PA7*04*CA*0*250*14*3500', 'PA7*04*DA*1*250*2*500'])
    expect(content.selections.map(soldOf)).toMatchObject([{ sinceInitialisation: { count: 16, value: 4000 } }])
    expect(countersOf(content, 'EUR').selections).toMatchObject([{ selection: '04', sold: [16, 4000] }])
  })

  test('without values have an unknown value, and no difference in money', () => {
    const content = read(['ID4*2', 'VA1*0*640*0*1', 'CA2*0*640', 'PA1*1*150', 'PA2*640*0*0*0'])
    expect(content.sales.paid?.sinceInitialisation).toEqual({ count: 640, value: null })
    expect(content.selections[0]?.sold?.sinceInitialisation).toEqual({ count: 640, value: null })
    expect(codes(content)).toContain('valuesNotCounted')
    expect(failed(content)).toEqual([])
  })

  test('at the price 0 are free of charge, and their value is known', () => {
    const content = read([euro, 'VA1*0*640', 'PA1*1*0', 'PA2*640*0'])
    expect(content.sales.paid?.sinceInitialisation).toEqual({ count: 640, value: 0 })
    expect(codes(content)).not.toContain('valuesNotCounted')
  })

  test('since initialisation below those since the last reset are not true', () => {
    const content = read([euro, 'VA1*90000**500*9', 'CA2**0*300*5', 'PA1*1*50', 'PA2*0*0*9*500', 'CA11*50*6*6*0*0*0*0'])
    expect(content.payments.cash).toEqual({
      sinceInitialisation: { value: null, count: null },
      sinceReset: { value: 300, count: 5 },
    })
    expect(content.selections[0]?.sold?.sinceInitialisation).toEqual({ count: null, value: null })
    expect(content.cash.coins[0]?.toBox).toEqual({ sinceInitialisation: null, sinceReset: 6 })
    expect(content.warnings.find(({ code }) => code === 'countersBelowReset')?.params).toEqual({ counters: 5 })
  })
})
