import { expect, test } from 'vitest'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { scaleRemark } from './plausibility.ts'
import { readAudit } from './reader.ts'

const read = (...rows: string[]) =>
  readAudit(new TextEncoder().encode(['DXS*A*VA*V0/6*1', 'ST*001*0001', ...rows, 'DXE*1*1', ''].join('\r\n')), {
    fallback: 'EUR',
  })
const aboutMoney = ['currencyDiffers', 'wholeUnits', 'countersOutOfScale', 'amountsImplausible'] as const
const remarks = ({ warnings }: AuditContent) =>
  Object.fromEntries(
    warnings
      .filter(({ code }) => (aboutMoney as readonly string[]).includes(code))
      .map((each) => [each.code, each.params]),
  )

test('a file in the merchant’s currency and its usual decimals has no remark about its amounts', () => {
  expect(remarks(read('ID4*2*978*EUR', 'PA1*11*120', 'VA1*12500*104'))).toEqual({})
  expect(remarks(read('ID4*1*978*EUR', 'PA1*11*12', 'VA1*1250*104'))).toMatchObject({ wholeUnits: { decimals: 1 } })
})

test('a file in another currency than the merchant’s is remarked', () => {
  expect(remarks(read('ID4*2*840*USD', 'PA1*11*120'))).toEqual({
    currencyDiffers: { currency: 'USD', merchant: 'EUR' },
  })
})

test('whole units are remarked in a currency that has cents, and in no other', () => {
  const cents = read('ID4*0*978*EUR', 'PA1*11*120', 'VA1*12500*104')
  expect(remarks(cents)).toEqual({
    wholeUnits: { currency: 'EUR', decimals: 0 },
    amountsImplausible: { amount: '120.00', currency: 'EUR' },
  })
  expect(remarks(read('ID4*0*978*EUR', 'PA1*11*2', 'VA1*208*104'))).toHaveProperty('wholeUnits')
  expect(remarks(read('ID4*0*152*CLP', 'PA1*11*800'))).toEqual({ currencyDiffers: expect.anything() })
})

test('counters in whole units beside prices in cents are remarked', () => {
  expect(remarks(read('ID4*2*978*EUR', 'PA1*11*120', 'PA1*12*150', 'VA1*130*104'))).toEqual({
    countersOutOfScale: { average: '0.01', price: '1.50' },
  })
  expect(remarks(read('ID4*2*978*EUR', 'VA1*130*104'))).toEqual({
    amountsImplausible: { amount: '0.01', currency: 'EUR' },
  })
})

test('amounts far from the machine’s earlier amounts get a remark', () => {
  const tenfold = read('ID4*1*978*EUR', 'PA1*11*120')
  expect(scaleRemark(tenfold, 120, 'EUR')).toEqual({
    code: 'pricesOutOfScale',
    line: null,
    params: { amount: '12.00', known: '1.20' },
  })
  expect(scaleRemark(tenfold, 1000, 'EUR')).toBeNull()
  expect(scaleRemark(tenfold, null, 'EUR')).toBeNull()
  // Prices of another currency do not show the scale.
  expect(scaleRemark(read('ID4*2*152*CLP', 'PA1*11*80000'), 120, 'EUR')).toBeNull()
})
