import type { ListRules, ListState } from '../state/listState.ts'

export type ListQuery = Record<string, unknown>

const isKept = ({ key, kind, initial }: ListRules['filters'][number]) =>
  // A list with a default period always needs one in its query.
  key === 'search' || (kind === 'period' && initial !== undefined)

/** The search alone, and its query; undefined without a search, or without another filter. */
export function outsideOf({ filters: rules }: ListRules, filters: ListState['filters'], listQuery: ListQuery) {
  const search = filters.search?.[0]?.trim()
  const dropped = rules.filter((rule) => !isKept(rule))
  if (!search || !dropped.some(({ key }) => filters[key]?.length)) return undefined
  const names = new Set(dropped.flatMap(({ key, kind }) => (kind === 'period' ? ['startDate', 'endDate'] : [key])))
  const query = Object.entries(listQuery).filter(([name]) => !names.has(name) && name !== 'cursor')
  const remaining = rules.filter(isKept).flatMap(({ key }) => (filters[key] ? [[key, filters[key]] as const] : []))
  return {
    search,
    query: { ...Object.fromEntries(query), page: 1, size: 1 },
    filters: Object.fromEntries(remaining) as ListState['filters'],
  }
}
