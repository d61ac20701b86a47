import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { ChartKind } from '#portal/ui/chart/chartProps.ts'
import { chartKinds } from '../state/listState.ts'
import type { Column } from '../types.ts'

/** Maximum number of distinguishable marks. */
const mostDrawn = 500
/** Parts of a pie; all others form one more part. */
export const mostSlices = 5

export type Measure<T> = Column<T> & { number: NonNullable<Column<T>['number']> }

/** Columns that have numbers. */
export const measuresOf = <T>(columns: readonly Column<T>[]) =>
  columns.filter((column): column is Measure<T> => column.number !== undefined)

/** The measure drawn: the chosen column, else the card's number, else the first numeric column. */
export const measureOf = <T>(columns: readonly Column<T>[], measureId: string | undefined) => {
  const measures = measuresOf(columns)
  return measures.find(({ id }) => id === measureId) ?? measures.find(({ card }) => card === 'aside') ?? measures[0]
}

/** The chart kinds of a measure; percentages are not parts of a whole. */
export const kindsOf = ({ unit }: Pick<Column<never>, 'unit'>): readonly ChartKind[] =>
  unit === 'percent' ? chartKinds.filter((kind) => kind !== 'pie') : chartKinds

export interface DrawnSeries {
  names: string[]
  values: (number | null)[]
  /** The currency of the values, when they are money; all have the same. */
  currency: Currency | undefined
  /** The currencies of the rows, most frequent first. */
  currencies: Currency[]
  /** The number of rows left out, because they have other currencies. */
  elsewhere: number
}

/** The numbers of all rows in their order. Money is drawn in one currency: the requested one, or that of most rows. */
export function drawnOf<T>(
  items: readonly T[],
  measure: Measure<T>,
  labelOf: (item: T) => string,
  preferredCurrency?: Currency,
): DrawnSeries {
  const { number, currencyOf } = measure
  const counts = new Map<Currency, number>()
  if (measure.unit === 'money' && currencyOf)
    for (const row of items) counts.set(currencyOf(row), (counts.get(currencyOf(row)) ?? 0) + 1)
  const currencies = [...counts].sort(([, one], [, other]) => other - one).map(([currency]) => currency)
  const currency = preferredCurrency && currencies.includes(preferredCurrency) ? preferredCurrency : currencies[0]
  const drawn = currency && currencyOf ? items.filter((row) => currencyOf(row) === currency) : items
  return {
    names: drawn.map(labelOf),
    values: drawn.map((row) => number(row) ?? null),
    currency,
    currencies,
    elsewhere: items.length - drawn.length,
  }
}

/**
 * The same with at most `mostDrawn` marks: adjacent rows form one mark, with their sum or, for percentages, their
 * mean.
 */
export function binsOf({ names, values }: Pick<DrawnSeries, 'names' | 'values'>, isMean: boolean) {
  if (values.length <= mostDrawn) return { names, values }
  const width = Math.ceil(values.length / mostDrawn)
  const begins = Array.from({ length: Math.ceil(values.length / width) }, (_, bin) => bin * width)
  return {
    names: begins.map((begin) => {
      const last = names[Math.min(begin + width, names.length) - 1]
      return last === names[begin] ? (last ?? '') : `${names[begin]} – ${last}`
    }),
    values: begins.map((begin) => {
      const some = values.slice(begin, begin + width).filter((value) => value !== null)
      if (some.length === 0) return null
      const sum = some.reduce((total, value) => total + value, 0)
      return isMean ? sum / some.length : sum
    }),
  }
}

/**
 * Parts of a whole, the largest first: equal names are added up, small ones as `others`. Values of zero or below have
 * no part.
 */
export function slicesOf({ names, values }: Pick<DrawnSeries, 'names' | 'values'>, others: (count: number) => string) {
  const sums = new Map<string, number>()
  for (const [index, name] of names.entries()) sums.set(name, (sums.get(name) ?? 0) + (values[index] ?? 0))
  const parts = [...sums].filter(([, value]) => value > 0).sort(([, one], [, other]) => other - one)
  const rest = parts.slice(mostSlices)
  if (rest.length > 1)
    parts.splice(mostSlices, rest.length, [others(rest.length), rest.reduce((sum, [, value]) => sum + value, 0)])
  return { names: parts.map(([name]) => name), values: parts.map(([, value]) => value) }
}

/** The row with the highest number, and the sum; undefined if no row has a number. */
export function outlineOf({ names, values }: Pick<DrawnSeries, 'names' | 'values'>) {
  let highest: { name: string; value: number } | undefined
  let total = 0
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    total += value
    if (!highest || value > highest.value) highest = { name: names[index] ?? '', value }
  }
  return highest && { highest, total }
}
