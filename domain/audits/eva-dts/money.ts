import type { AuditMoney } from '#contract/audits/audit-content.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { clip, elementsOf, type Remark } from './elements.ts'
import type { Report } from './envelope.ts'
import { type Scale, scaleOf } from './scale.ts'

/*
 * ID4 says in what the amounts are: decimals, the ISO 4217 number (some prefix it, 1978 for 978) or a phone code, the code.
 */

const byNumber = new Map<number, Currency>(
  Object.entries(currencies).map(([code, { numeric }]) => [numeric, code as Currency]),
)

/** Country calling codes, which MDB allows in the currency's place, of the countries that use the product's currencies. */
const byPhoneCode = new Map<number, Currency>([
  [1, 'USD'],
  [27, 'ZAR'],
  [33, 'EUR'],
  [34, 'EUR'],
  [39, 'EUR'],
  [40, 'RON'],
  [44, 'GBP'],
  [49, 'EUR'],
  [51, 'PEN'],
  [52, 'MXN'],
  [55, 'BRL'],
  [56, 'CLP'],
  [57, 'COP'],
  [351, 'EUR'],
  [381, 'RSD'],
  [420, 'CZK'],
  [595, 'PYG'],
  [598, 'UYU'],
  [974, 'QAR'],
])

const isCurrency = (code: string): code is Currency => Object.hasOwn(currencies, code)

type Source = NonNullable<AuditMoney['currencySource']>
export type CurrencyFinding = {
  currency: Currency | null
  source: Source | null
  /** A currency that is none of the product's. */
  isUnknown: boolean
  /** Something that names no currency at all. */
  isUnreadable: boolean
  isContradicted: boolean
}

function byReportedNumber(text: string | null): { currency: Currency; source: Source } | null {
  if (text === null || !/^\d{1,4}$/.test(text)) return null
  const number = Number(text)
  const iso =
    byNumber.get(number) ?? (text.length === 4 && text.startsWith('1') ? byNumber.get(number - 1000) : undefined)
  if (iso) return { currency: iso, source: 'number' }
  const phone = byPhoneCode.get(number)
  return phone ? { currency: phone, source: 'phoneCode' } : null
}

/** FFFF and a row of zeros mean "none". */
const isEmpty = (text: string | null) => text === null || /^(0+|F+)$/i.test(text)

/** The highest ISO 4217 number, with the prefix that some machines add. */
const highestNumber = 1999
/** A byte that was never set. */
const unsetByte = 255

/** Whether ID402 can be the number of a currency, known here or not: not 255, 65535, or text. */
const isNumber = (text: string | null) =>
  !isEmpty(text) && /^\d{1,4}$/.test(text ?? '') && Number(text) <= highestNumber && Number(text) !== unsetByte
/** Whether ID403 can be the code of a currency, known here or not: not `1`, `EURO`, `€` or `---`. */
const isCode = (text: string | null) => !isEmpty(text) && /^[A-Z]{3}$/i.test(text ?? '')

/** Tries the alphabetic code first, then the number, then the currency of the machine's merchant. */
export function findCurrency(numeric: string | null, code: string | null, fallback: Currency | null): CurrencyFinding {
  const letters = code?.toUpperCase() ?? null
  const named = letters !== null && isCurrency(letters) ? letters : null
  const numbered = byReportedNumber(numeric)
  const isContradicted = named !== null && numbered !== null && named !== numbered.currency
  const isUnknown = !named && !numbered && (isNumber(numeric) || isCode(code))
  const isUnreadable = !named && !numbered && !isUnknown && !(isEmpty(numeric) && isEmpty(code))
  const facts = { isUnknown, isUnreadable, isContradicted }
  if (named) return { currency: named, source: 'code', ...facts }
  if (numbered) return { ...numbered, ...facts }
  // A machine that names a currency unknown here does not count in the fallback's.
  if (fallback && !isUnknown) return { currency: fallback, source: 'fallback', ...facts }
  return { currency: null, source: null, ...facts }
}

/**
 * In what a reading's amounts are, for a machine whose merchant sells in `merchant`. Null where the file names a currency that is
 * none of the product's.
 */
export function currencyOfReading(
  { currency, reportedNumeric, reportedCode }: AuditMoney,
  merchant: Currency,
): Currency | null {
  if (currency) return currency
  return isNumber(reportedNumeric) || isCode(reportedCode) ? null : merchant
}

/** The currency of a file by its lines, before any of them is read. */
export function currencyInLines(lines: readonly string[], fallback: Currency | null): Currency | null {
  const line = lines.findLast((text) => /^\s*ID4\*/i.test(text))
  const [, numeric, code] = line === undefined ? [] : elementsOf(line)
  return findCurrency(numeric || null, code || null, fallback).currency
}

/** The default of ID401. */
const usualDecimals = 2

/** Reads ID4 anywhere in the report; of two, the later one wins. */
export function moneyOf(report: Report | null, fallback: Currency | null, remark: Remark): Omit<AuditMoney, 'digits'> {
  const rows = report?.rows.filter((row) => row.block === 'ID4') ?? []
  const line = rows.at(-1)?.line ?? null
  const elements = rows.map((row) => elementsOf(row.text))
  const textAt = (index: number) => clip(elements.findLast((row) => row[index])?.[index] ?? '', 40) || null
  const decimals = textAt(0)
  const numeric = textAt(1)
  const code = textAt(2)
  const areDecimalsReported = decimals !== null && /^[0-6]$/.test(decimals)
  if (decimals !== null && !areDecimalsReported) remark('decimalsUnreadable', line, { text: decimals })
  const machineDecimals = areDecimalsReported ? Number(decimals) : usualDecimals
  const finding = findCurrency(numeric, code, fallback)
  if (finding.isContradicted) remark('currencyContradicts', line, { numeric: numeric ?? '', code: code ?? '' })
  if (finding.isUnknown) remark('currencyUnknown', line, { numeric: numeric ?? '', code: code ?? '' })
  else if (finding.isUnreadable) remark('currencyUnreadable', line, { numeric: numeric ?? '', code: code ?? '' })
  else if (finding.source === null || finding.source === 'fallback') {
    if (report) remark('currencyMissing', line, { digits: machineDecimals })
  }
  if (finding.currency && fallback && finding.currency !== fallback)
    remark('currencyDiffers', line, { currency: finding.currency, merchant: fallback })
  if (areDecimalsReported && finding.currency && machineDecimals < currencies[finding.currency].shownDigits)
    remark('wholeUnits', line, { currency: finding.currency, decimals: machineDecimals })
  if (finding.source === 'phoneCode' && finding.currency) {
    remark('currencyFromPhoneCode', line, { numeric: numeric ?? '', currency: finding.currency })
  }
  return {
    currency: finding.currency,
    currencySource: finding.source,
    reportedNumeric: numeric,
    reportedCode: code,
    machineDecimals,
    areDecimalsReported,
  }
}

/** The scale to try first: into the digits in which the product stores the currency. */
export const storageScale = ({ currency, machineDecimals }: Omit<AuditMoney, 'digits'>): Scale =>
  scaleOf(machineDecimals, currency ? currencies[currency].storageDigits : machineDecimals)
