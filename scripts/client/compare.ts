import type { PublicApi } from './public-api.ts'
import type { JsonSchema } from './schema-type.ts'

/** A difference between two versions of the public API, such as `listAlarms answer.items.code`. */
export interface ApiChange {
  /** `breaking`: what worked with the version before does not work with this one. */
  kind: 'breaking' | 'addition'
  at: string
  what: string
}

/** Where the shape is sent: a filter of ours may take more, an answer of ours may say more. */
type Direction = 'taken' | 'given'

const kindsOf = ({ type }: JsonSchema) => (Array.isArray(type) ? type : type ? [type] : []).sort()
const valuesOf = ({ enum: values, const: value }: JsonSchema) => values ?? (value === undefined ? undefined : [value])

/** Differences of one schema. */
function ofSchema(before: JsonSchema, after: JsonSchema, at: string, direction: Direction): ApiChange[] {
  const breaking = (what: string): ApiChange[] => [{ kind: 'breaking', at, what }]
  const [eitherBefore, eitherAfter] = [before.anyOf ?? before.oneOf, after.anyOf ?? after.oneOf]
  if (eitherBefore || eitherAfter) {
    if (!eitherBefore || !eitherAfter || eitherBefore.length !== eitherAfter.length)
      return JSON.stringify(before) === JSON.stringify(after) ? [] : breaking('other shapes')
    return eitherBefore.flatMap((part, index) => ofSchema(part, eitherAfter[index] as JsonSchema, at, direction))
  }
  if (kindsOf(before).join() !== kindsOf(after).join()) return breaking('another type')
  const [valuesBefore, valuesAfter] = [valuesOf(before), valuesOf(after)]
  const changes: ApiChange[] = []
  if (valuesBefore && valuesAfter) {
    for (const value of valuesBefore)
      if (!valuesAfter.includes(value)) changes.push(...breaking(`without ${JSON.stringify(value)}`))
    for (const value of valuesAfter)
      if (!valuesBefore.includes(value)) changes.push({ kind: 'addition', at, what: `with ${JSON.stringify(value)}` })
  } else if (valuesAfter && direction === 'taken') changes.push(...breaking('fewer values'))
  if (before.items && after.items) changes.push(...ofSchema(before.items, after.items, at, direction))
  return [...changes, ...ofFields(before, after, at, direction)]
}

function ofFields(before: JsonSchema, after: JsonSchema, at: string, direction: Direction): ApiChange[] {
  const changes: ApiChange[] = []
  for (const [name, field] of Object.entries(before.properties ?? {})) {
    const place = `${at}.${name}`
    const now = after.properties?.[name]
    if (!now) changes.push({ kind: 'breaking', at: place, what: 'removed' })
    else changes.push(...ofSchema(field, now, place, direction))
    const [was, is] = [before, after].map((one) => one.required?.includes(name) ?? false)
    if (now && direction === 'given' && was && !is) changes.push({ kind: 'breaking', at: place, what: 'may be absent' })
  }
  for (const name of Object.keys(after.properties ?? {}))
    if (!before.properties?.[name]) changes.push({ kind: 'addition', at: `${at}.${name}`, what: 'added' })
  return changes
}

/** Differences of what a caller sends: a field that was not needed may not become needed. */
function ofBodies(before: JsonSchema | undefined, after: JsonSchema | undefined, at: string): ApiChange[] {
  if (!before && !after) return []
  if (!before || !after) return [{ kind: 'breaking', at, what: before ? 'removed' : 'required' }]
  const needed = (after.required ?? []).filter((name) => !before.required?.includes(name))
  return [
    ...ofSchema(before, after, at, 'taken'),
    ...needed.map((name): ApiChange => ({ kind: 'breaking', at: `${at}.${name}`, what: 'required' })),
  ]
}

function ofCalls(before: PublicApi, after: PublicApi): ApiChange[] {
  const changes: ApiChange[] = []
  for (const [name, was] of Object.entries(before.calls)) {
    const is = after.calls[name]
    if (!is) {
      changes.push({ kind: 'breaking', at: name, what: 'removed' })
      continue
    }
    if (is.path !== was.path || is.method !== was.method || is.produces !== was.produces || is.takes !== was.takes)
      changes.push({ kind: 'breaking', at: name, what: 'another path, method or content type' })
    changes.push(...ofBodies(was.body, is.body, `${name} body`))
    const query = `${name} query`
    changes.push(...ofFields({ properties: was.query }, { properties: is.query }, query, 'taken'))
    for (const filter of is.requiredQuery)
      if (!was.requiredQuery.includes(filter))
        changes.push({ kind: 'breaking', at: `${query}.${filter}`, what: 'required' })
    if (was.answer && is.answer) changes.push(...ofSchema(was.answer, is.answer, `${name} answer`, 'given'))
    else if (was.answer) changes.push({ kind: 'breaking', at: `${name} answer`, what: 'removed' })
  }
  for (const name of Object.keys(after.calls))
    if (!before.calls[name]) changes.push({ kind: 'addition', at: name, what: 'added' })
  return changes
}

/** Every difference of the public API between a released version and the present one. */
export function compareApis(before: PublicApi, after: PublicApi): ApiChange[] {
  const changes = ofCalls(before, after)
  for (const [event, was] of Object.entries(before.events)) {
    const is = after.events[event]
    if (!is) changes.push({ kind: 'breaking', at: event, what: 'removed' })
    else changes.push(...ofSchema(was, is, event, 'given'))
  }
  for (const event of Object.keys(after.events))
    if (!before.events[event]) changes.push({ kind: 'addition', at: event, what: 'added' })
  return changes
}
