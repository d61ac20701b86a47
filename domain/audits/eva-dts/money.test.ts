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

const money = (id4: string, ...rows: string[]) => readAudit(report(id4, ...rows))

test('are rescaled to the digits in which the currency is stored', () => {
  const oneDecimal = money('ID4*1*978*EUR', 'VA1*355*10')
  expect(oneDecimal.money).toMatchObject({ machineDecimals: 1, digits: 2 })
  expect(oneDecimal.sales.paid?.sinceInitialisation).toEqual({ value: 3550, count: 10 })
  const pesos = money('ID4*2*152*CLP', 'VA1*35000*10')
  expect(pesos.money).toMatchObject({ machineDecimals: 2, digits: 0 })
  expect(pesos.sales.paid?.sinceInitialisation.value).toBe(350)
})

test('keep all the machine’s digits if rescaling would lose some', () => {
  const content = money('ID4*2*152*CLP', 'VA1*35050*10', 'CA2*35000*10')
  expect(content.money).toMatchObject({ currency: 'CLP', digits: 2 })
  expect(content.sales.paid?.sinceInitialisation.value).toBe(35050)
  expect(content.payments.cash?.sinceInitialisation.value).toBe(35000)
  expect(warning(content, 'moneyNotRescaled')?.params).toEqual({ currency: 'CLP', digits: 2 })
})

test('have two decimals unless ID401 differs', () => {
  expect(money('VA1*100*1').money).toMatchObject({ machineDecimals: 2, areDecimalsReported: false })
  expect(money('ID4*x*978').money.machineDecimals).toBe(2)
  expect(codes(money('ID4*x*978'))).toContain('decimalsUnreadable')
  expect(money('ID4*0*0*').money).toMatchObject({ machineDecimals: 0, digits: 0, areDecimalsReported: true })
})

test('keep the machine’s digits in a currency that the product does not know, the merchant’s notwithstanding', () => {
  const content = readAudit(report('ID4*2*756*CHF', 'VA1*100*1'), { fallback: 'CLP' })
  expect(content.money).toMatchObject({ currency: null, reportedCode: 'CHF', digits: 2 })
  expect(warning(content, 'currencyUnknown')?.params).toEqual({ numeric: '756', code: 'CHF' })
})

test('amounts in a list have the digits of the merchant’s currency', () => {
  const content = money('ID4*0*0*', 'VA1*350*10')
  expect(auditTotals(content, 'EUR')).toMatchObject({ salesTotal: 35_000, vendsTotal: 10, selectionsTotal: null })
  expect(auditTotals(content, 'CLP').salesTotal).toBe(350)
})

test('are in the currency of the code where number and code contradict each other', () => {
  const content = money('ID4*2*840*EUR')
  expect(content.money).toMatchObject({ currency: 'EUR', currencySource: 'code' })
  expect(codes(content)).toContain('currencyContradicts')
})

test('that no number can hold are null and remarked', () => {
  const content = money('ID4*0*978*EUR', `VA1*${'9'.repeat(30)}*1`, `CA2*${Number.MAX_SAFE_INTEGER}*1`)
  expect(content.sales.paid?.sinceInitialisation).toEqual({ value: null, count: 1 })
  expect(content.payments.cash?.sinceInitialisation).toEqual({ value: null, count: 1 })
  expect(codes(content).filter((code) => code === 'numberTooLarge')).toHaveLength(2)
})
