import { enoughLetters } from '#contract/frame/shapes.ts'
import { isDay, type PeriodPreset } from '#domain/time/period.ts'
import { isId, manyOf, oneOf, type Search } from '#portal/app/search.ts'
import type { ChartKind } from '#portal/ui/chart/chartProps.ts'
import { isPreset, periodIn } from '../../time/periodIn.ts'

/** Rows per page; `all` shows all rows in one scroll, fetched as they scroll into view. */
export const pageSizes = [20, 50, 100, 500, 'all'] as const
export type PageSize = (typeof pageSizes)[number]
export const defaultSize = 20
/** In one scroll, the number of rows per request. */
export const scrollStep = 200
/** Maximum rows of one scroll: the server's counting limit. */
export const mostScrolled = 10_000
/** The number of the last page to which a list jumps: the server goes directly to its first 10,000 rows, and further by cursors only. */
export const lastPageOf = (total: number, size: PageSize) =>
  size === 'all' ? 1 : Math.max(1, Math.ceil(Math.min(total, mostScrolled) / size))
const lastPage = 10_000_000
const longestText = 100
const longestFree = 160

/** A filter in an address; the filter bar defines its appearance. */
export interface FilterRule {
  /** Its name in the address and in the endpoint's query; the period of a list has `startDate` and `endDate` there. */
  key: string
  /**
   * A `range` is a period under its own name, of which a list may have several; the endpoint takes it as `DayRange`.
   */
  kind: 'text' | 'select' | 'multi' | 'period' | 'range'
  /** Its possible values; without them any valid id. */
  values?: readonly string[]
  /** A period's default; such a period cannot be removed. */
  initial?: PeriodPreset
  /** Any text is a value, such as the name of a product. */
  isFree?: boolean
  /** A multi filter's default values; the address records their removal. */
  initially?: readonly string[]
}
export interface ListRules {
  /** Columns the endpoint can sort by. */
  ords: readonly string[]
  initial?: { ord: string; ordType: 'ASC' | 'DESC' }
  filters: readonly FilterRule[]
  /** The endpoint pages by cursors. */
  hasCursor?: boolean
  /** Columns that have numbers. */
  measures?: readonly string[]
}

/** The chart beside the list. */
export const chartKinds = ['bar', 'line', 'pie'] as const

/** The state of a list; an address contains and reproduces it. */
export interface ListState {
  page: number
  size: PageSize
  ord: string | undefined
  ordType: 'ASC' | 'DESC'
  cursor: string | undefined
  /** Values by filter key. A period is a preset's name, or two days. */
  filters: Record<string, string[]>
  chart: 'none' | ChartKind
  /** The chart's measure; by default the first numeric column. */
  measure: string | undefined
}

const wholeOf = (text: string | undefined, most: number): number | undefined => {
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= 1 && number <= most ? number : undefined
}

/** In an address: a filter with default values is cleared. */
const anyValue = 'any'

function valuesOf(search: Search, { key, kind, values, isFree, initial, initially }: FilterRule): string[] {
  if (kind === 'period') {
    const period = periodIn(search)
    return period.length > 0 ? period : initial ? [initial] : []
  }
  const addressValues = manyOf(search, key)
  if (kind === 'range') {
    if (addressValues.length === 1 && isPreset(addressValues[0])) return addressValues
    return addressValues.length === 2 &&
      addressValues.every(isDay) &&
      (addressValues[0] as string) <= (addressValues[1] as string)
      ? addressValues
      : []
  }
  if (kind === 'text')
    return addressValues.slice(0, 1).filter((text) => text.trim() !== '' && text.length <= longestText)
  if (initially && addressValues.includes(anyValue)) return []
  const validValues = [...new Set(addressValues)].filter((value) =>
    values ? values.includes(value) : isFree ? value.length <= longestFree : isId(value),
  )
  if (initially && validValues.length === 0) return [...initially]
  return kind === 'select' ? validValues.slice(0, 1) : validValues
}

/** Reads the state of a list from an address. Invalid parts fall back to the defaults. */
export function readListState(search: Search, rules: ListRules): ListState {
  const ord = oneOf(search, 'ord')
  const isKnown = ord !== undefined && rules.ords.includes(ord)
  const ordType = oneOf(search, 'ordType')
  const { measures = [] } = rules
  const measure = oneOf(search, 'measure') ?? ''
  const size = pageSizes.find((one) => String(one) === oneOf(search, 'size')) ?? defaultSize
  return {
    page: size === 'all' ? 1 : (wholeOf(oneOf(search, 'page'), lastPage) ?? 1),
    size,
    ord: isKnown ? ord : rules.initial?.ord,
    ordType: isKnown ? (ordType === 'DESC' ? 'DESC' : 'ASC') : (rules.initial?.ordType ?? 'ASC'),
    cursor: rules.hasCursor ? oneOf(search, 'cursor') : undefined,
    filters: Object.fromEntries(
      rules.filters
        .map((rule) => [rule.key, valuesOf(search, rule)] as const)
        .filter(([, values]) => values.length > 0),
    ),
    chart: (measures.length > 0 && chartKinds.find((kind) => kind === oneOf(search, 'chart'))) || 'none',
    measure: measures.includes(measure) ? measure : undefined,
  }
}

export const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((value) => other.includes(value))

/**
 * Writes the state into an address without the list's defaults. Other parameters stay. Since a bare address restores
 * the user's last state, the default state is written with its page.
 */
export function writeListState(state: ListState, rules: ListRules, others: Search): Search {
  const isInitialOrd = state.ord === rules.initial?.ord && state.ordType === (rules.initial?.ordType ?? 'ASC')
  const written: Search = {
    ...others,
    page: state.page > 1 ? String(state.page) : undefined,
    size: state.size === defaultSize ? undefined : String(state.size),
    ord: isInitialOrd ? undefined : state.ord,
    ordType: isInitialOrd ? undefined : state.ordType,
    cursor: state.page > 1 ? state.cursor : undefined,
    chart: state.chart === 'none' ? undefined : state.chart,
    measure: state.chart === 'none' ? undefined : state.measure,
  }
  for (const { key, kind, initial, initially } of rules.filters) {
    const values = state.filters[key] ?? []
    if (kind === 'period') {
      const [preset, end] = values
      written.period = end || preset === initial ? undefined : preset
      written.startDate = end ? preset : undefined
      written.endDate = end
    } else if (initially) written[key] = isSame(values, initially) ? undefined : values.length > 0 ? values : anyValue
    else written[key] = values.length > 0 ? values : undefined
  }
  return isBare(written, rules) ? { ...written, page: '1' } : written
}

/** The names of a list's state in an address. */
const listNames = ({ filters }: ListRules): string[] => [
  'page',
  'size',
  'ord',
  'ordType',
  'cursor',
  'chart',
  'measure',
  ...filters.flatMap(({ key, kind }) => (kind === 'period' ? ['period', 'startDate', 'endDate'] : [key])),
]

/** Whether an address has no state of the list: then it opens in the user's last state. */
export const isBare = (search: Search, rules: ListRules) => listNames(rules).every((name) => search[name] === undefined)

/**
 * The endpoint's query of a state; for one scroll, that of its first rows. `daysOf` returns a preset's days in the
 * merchant's zone.
 */
export function queryOfState(
  state: ListState,
  rules: ListRules,
  daysOf: (preset: PeriodPreset) => { startDate: string; endDate: string },
) {
  const query: Record<string, unknown> = { page: state.page, size: state.size === 'all' ? scrollStep : state.size }
  if (state.ord) Object.assign(query, { ord: state.ord, ordType: state.ordType })
  if (state.cursor && state.page > 1) query.cursor = state.cursor
  for (const { key, kind } of rules.filters) {
    const values = state.filters[key]
    if (!values) continue
    const [first, end] = values
    if (kind === 'period')
      Object.assign(query, end ? { startDate: first, endDate: end } : daysOf(first as PeriodPreset))
    else if (kind === 'range')
      query[key] = JSON.stringify(end ? { startDate: first, endDate: end } : daysOf(first as PeriodPreset))
    else if (kind === 'multi') query[key] = values
    else if (kind !== 'text' || (first as string).trim().length >= enoughLetters) query[key] = (first as string).trim()
  }
  return query
}

/** Parameters of a list's query for its page and its order. */
const paging = ['page', 'size', 'ord', 'ordType', 'cursor']
/** The part of a list's query that selects the matching rows. */
export const filtersOf = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !paging.includes(name)))
