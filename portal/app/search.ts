/**
 * The query of an address: names and texts, repeated for a list. Never JSON, so that a link can be read and written by
 * hand.
 */
export type Search = Record<string, string | string[] | undefined>

const longestValue = 200
const mostValues = 500
const isName = (name: string) => /^[a-zA-Z][\w.-]{0,40}$/.test(name)

/** Ids are UUIDs; any other text in place of an id is never requested. */
export const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** Reads `?a=1&b=2&b=3`; invalid names and unusable values are dropped. */
export function readSearch(text: string): Search {
  const parameters = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (!isName(name) || value === '' || value.length > longestValue || value.includes('\0')) continue
    const before = parameters.get(name)
    const all = before === undefined ? value : [before, value].flat()
    if (typeof all === 'string' || all.length <= mostValues) parameters.set(name, all)
  }
  return Object.fromEntries(parameters)
}

/** Writes a search; empty values are left out. */
export function writeSearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') written.append(name, String(one))
    }
  }
  const text = written.toString()
  return text && `?${text}`
}

export const oneOf = (search: Search, name: string): string | undefined => [search[name]].flat()[0]
/** The id that an address names. */
export const idOf = (search: Search, name: string): string | undefined =>
  [search[name]].flat().find((one) => one && isId(one))
export const manyOf = (search: Search, name: string): string[] => [search[name] ?? []].flat()
