import type { TableSettings } from '#contract/platform/table-state.ts'
import { isSame, type ListRules, type ListState, type PageSize, readListState, writeListState } from './listState.ts'

/** Within this time, a user returning from a row gets the same page; later its rows have changed. */
export const pageLastsMs = 30 * 60_000

/** Values of these filters belong to one merchant, such as its groups. */
const isOfMerchant = ({ kind, values }: ListRules['filters'][number]) =>
  (kind === 'select' || kind === 'multi') && values === undefined

interface Now {
  /** The merchant that is shown. */
  merchantId: string
  /** Whether the user returns to the saved page, rather than opening the list. */
  isReturn: boolean
}

/** A saved state of a list, without the parts that the list does not know. */
export function stateOfSettings(settings: TableSettings, rules: ListRules, { merchantId, isReturn }: Now): ListState {
  const begin = readListState({}, rules)
  const filters = { ...begin.filters }
  for (const rule of rules.filters) {
    const values = settings.filter[rule.key]
    if (values && (settings.merchantId === merchantId || !isOfMerchant(rule))) filters[rule.key] = values
  }
  const { sortOptions, dtOptions } = settings
  const saved: ListState = {
    ...begin,
    ...sortOptions,
    page: isReturn ? settings.currentPage : 1,
    size: settings.itemsPerPage as PageSize,
    filters,
    chart: dtOptions.chart,
    measure: dtOptions.measure ?? undefined,
  }
  // Through an address, where every value is checked.
  return readListState(writeListState(saved, rules, {}), rules)
}

/** Whether two states show the same rows in the same way, whatever the page. */
export const isSameLook = (one: ListState, other: ListState, rules: ListRules) => {
  const look = (state: ListState) => JSON.stringify(writeListState({ ...state, page: 1 }, rules, {}))
  return look(one) === look(other)
}

/**
 * What to save after the user changed the list. A link's state is no choice of the user's: only the difference is
 * saved, and the page only if the saved state is shown.
 */
export function settingsAfter(
  saved: TableSettings,
  { before, after, rules, merchantId }: { before: ListState; after: ListState; rules: ListRules; merchantId: string },
): TableSettings {
  const isMoved = saved.merchantId !== merchantId
  const filter = { ...saved.filter }
  for (const rule of rules.filters) {
    const values = after.filters[rule.key] ?? []
    if (isMoved && isOfMerchant(rule)) delete filter[rule.key]
    if (!isSame(before.filters[rule.key] ?? [], values)) filter[rule.key] = values
  }
  const isSorted = before.ord !== after.ord || before.ordType !== after.ordType
  const isDrawn = before.chart !== after.chart || before.measure !== after.measure
  const settings: TableSettings = {
    ...saved,
    merchantId,
    currentPage: 1,
    itemsPerPage: before.size === after.size ? saved.itemsPerPage : after.size,
    filter,
    sortOptions: isSorted ? sortOf(after) : saved.sortOptions,
    dtOptions: isDrawn ? { chart: after.chart, measure: after.measure ?? null } : saved.dtOptions,
  }
  const savedState = stateOfSettings(settings, rules, { merchantId, isReturn: false })
  return isSameLook(savedState, after, rules) ? { ...settings, currentPage: after.page } : settings
}

export const sortOf = ({ ord, ordType }: ListState) => (ord ? { ord, ordType } : null)
