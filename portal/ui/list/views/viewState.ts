import type { SavedView } from '#contract/platform/saved-view.ts'
import { readTableState, type TableHeader } from '#contract/platform/table-state.ts'
import { type ColumnRule, isSameChoice } from '../state/columnState.ts'
import type { ListRules, ListState } from '../state/listState.ts'
import { isSameLook, sortOf, stateOfSettings } from '../state/tableState.ts'
import type { View } from '../types.ts'

/** The current state: views are compared with it and saved from it. */
export interface Look {
  state: ListState
  rules: ListRules
  columns: readonly ColumnRule[]
  headers: readonly TableHeader[]
}

/** A saved view as a state of the list, without the parts that the list does not know. */
export function stateOfView(view: Pick<SavedView, 'merchantId' | 'filter' | 'sortOptions'>, rules: ListRules) {
  const { merchantId, filter, sortOptions } = view
  const settings = { ...readTableState({ filter, sortOptions }), merchantId }
  return stateOfSettings(settings, rules, { merchantId, isReturn: false })
}

/** The current state, as a view stores it. Cleared filters are stored too: some have default values. */
export const viewOf = ({ state, rules, headers }: Look, hasColumns: boolean) => ({
  filter: readTableState({
    filter: Object.fromEntries(rules.filters.map(({ key }) => [key, state.filters[key] ?? []])),
  }).filter,
  sortOptions: sortOf(state),
  headers: hasColumns ? [...headers] : null,
})

/** Filters as text, for comparison. A period that cannot be removed is included, named or not. */
const written = (filters: Record<string, readonly string[]>, rules: ListRules) =>
  JSON.stringify(
    Object.entries({
      ...Object.fromEntries(rules.filters.flatMap(({ key, initial }) => (initial ? [[key, [initial]]] : []))),
      ...filters,
    })
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => [key, [...values].sort()])
      .sort(),
  )

function isShown(view: SavedView, { state, rules, columns, headers }: Look): boolean {
  const { filters, ord, ordType } = stateOfView(view, rules)
  if (written(filters, rules) !== written(state.filters, rules)) return false
  const isSorted = isSameLook({ ...state, filters, ord, ordType }, { ...state, filters }, rules)
  return isSorted && (view.headers === null || isSameChoice(columns, view.headers, headers))
}

/** The open view; it stays open when the user changes something, and is then marked as changed. */
export function pressedView(
  ready: readonly View[],
  saved: readonly SavedView[],
  chosenId: string | undefined,
  look: Look,
): { id: string; isChanged: boolean } | undefined {
  const selectedView = saved.find(({ id }) => id === chosenId)
  if (selectedView) return { id: selectedView.id, isChanged: !isShown(selectedView, look) }
  const now = written(look.state.filters, look.rules)
  const match =
    ready.find(({ filters }) => written(filters, look.rules) === now) ?? saved.find((view) => isShown(view, look))
  return match && { id: match.id, isChanged: false }
}
