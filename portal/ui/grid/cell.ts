import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { ruleOf } from '#contract/rules/rule-of.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { folded } from '#domain/frame/folded.ts'
import { hasTooManyDecimals } from '#domain/money/amount-text.ts'
import { formatAmount } from '#domain/money/money.ts'
import type { CellValue, GridColumn } from './types.ts'

/** Why a cell's text is invalid: a rule of the contract, or of this grid. */
export type Fault =
  | { rule: BrokenRule }
  | { key: 'number' | 'unknown' }
  | { key: 'choice'; options: string }
  | { sentence: string }

export interface Change {
  /** As it was typed or pasted. */
  text: string
  value: CellValue
  fault?: Fault
}

const namedOptions = 6

/** Digits with at most one dot or comma among them. */
const isNumber = /^[-−]?\d+(?:[.,]\d+)?$/
/** 1.000 is one to some readers and a thousand to others; it is refused. */
const isUnclear = /^[-−]?\d{1,3}[.,]\d{3}$/
const numberOf = (text: string) => Number(text.replace('−', '-').replace(',', '.'))

function minorOf(text: string, currency: Currency): number | undefined {
  const { storageDigits, shownDigits } = currencies[currency]
  const decimals = /[.,](\d+)$/.exec(text)?.[1]?.length ?? 0
  return isNumber.test(text) && decimals <= shownDigits ? Math.round(numberOf(text) * 10 ** storageDigits) : undefined
}

function read<T>(
  row: T,
  edit: NonNullable<GridColumn<T>['edit']>,
  text: string,
): { value: CellValue } | { fault: Fault } {
  if (text === '') return { value: edit.schema.safeParse(null).success ? null : edit.kind === 'text' ? '' : null }
  if (edit.kind === 'text') return { value: text }
  if (edit.kind === 'number')
    return isNumber.test(text) && !isUnclear.test(text) ? { value: numberOf(text) } : { fault: { key: 'number' } }
  if (edit.kind === 'money') {
    const currency = edit.currency?.(row)
    const value = currency && minorOf(text, currency)
    if (value !== undefined) return { value }
    const isTooFine = currency !== undefined && hasTooManyDecimals(text, currency)
    return { fault: isTooFine ? { rule: broken('decimals', { amount: text, currency }) } : { key: 'number' } }
  }
  if (edit.kind === 'search') {
    const value = edit.search?.find(text)
    return value === undefined ? { fault: { key: 'unknown' } } : { value }
  }
  const options = edit.options?.(row) ?? []
  const foldedText = folded(text)
  const option =
    options.find(({ value }) => value === text) ?? options.find(({ label }) => folded(label) === foldedText)
  const labels = options.slice(0, namedOptions).map(({ label }) => label)
  return option
    ? { value: option.value }
    : { fault: { key: 'choice', options: labels.join(', ') + (options.length > namedOptions ? ', …' : '') } }
}

/** Parses text typed or pasted into a cell. Invalid text is kept with its reason. */
export function readCell<T>(row: T, { edit }: GridColumn<T>, typed: string): Change {
  const text = typed.trim()
  if (!edit) throw new Error('A column that is shown alone was written to')
  const result = read(row, edit, text)
  if ('fault' in result) return { text, value: null, fault: result.fault }
  const parsed = edit.schema.safeParse(result.value)
  const [issue] = parsed.error?.issues ?? []
  if (issue) return { text, value: result.value, fault: { rule: ruleOf(issue, result.value) } }
  return { text, value: result.value }
}

/** The text of a value in its cell and on the clipboard. */
export function writeCell<T>(row: T, { edit }: GridColumn<T>, value: CellValue): string {
  if (value === null) return ''
  if (edit?.kind === 'search') return edit.search?.labelOf(String(value)) ?? String(value)
  if (edit?.kind === 'select')
    return edit.options?.(row).find((option) => option.value === value)?.label ?? String(value)
  if (edit?.kind === 'money' && edit.currency && typeof value === 'number') {
    const currency = edit.currency(row)
    // Without thousands separators, so that copied values can be pasted.
    const { group } = currencies[currency]
    return formatAmount(value, currency).replaceAll(group === ' ' ? '\u00a0' : group, '')
  }
  return String(value)
}
