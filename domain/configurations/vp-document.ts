import {
  canonicalJson,
  isJsonObject as isObject,
  type Json,
  type JsonObject,
} from '#contract/configurations/vp-document.ts'
import type { ConfigurationEdit, ConfigurationSync } from '#contract/vocabulary/configuration.ts'

/** Every value of a document that is not an object or a list with entries, by its dotted path. */
export function leavesOf(value: Json, path = '', leaves = new Map<string, Json>()): Map<string, Json> {
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  // A list of plain values, such as languages, is one value.
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)
  if (entries.length === 0 || isPlainList) leaves.set(path, value)
  else for (const [name, one] of entries) leavesOf(one, path ? `${path}.${name}` : String(name), leaves)
  return leaves
}

export interface VpChange {
  path: string
  /** Undefined where one side lacks the value. */
  before: Json | undefined
  after: Json | undefined
}

const isSame = (one: Json | undefined, other: Json | undefined) =>
  one === other || (one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other))

/** What differs between two documents, in the order of the second. */
export function vpChangesBetween(before: JsonObject, after: JsonObject): VpChange[] {
  const old = leavesOf(before)
  const fresh = leavesOf(after)
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((path) => ({ path, before: old.get(path), after: fresh.get(path) }))
    .filter((change) => !isSame(change.before, change.after))
}

/** The value at a dotted path. */
export const vpValueAt = (document: Json | undefined, path: string): Json | undefined =>
  path === ''
    ? document
    : path.split('.').reduce<Json | undefined>((at, name) => {
        if (Array.isArray(at)) return at[Number(name)]
        return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
      }, document)

/** A copy of the document with another value at a dotted path; unchanged branches are shared. */
export function withVpValue<T extends Json>(document: T, path: string, value: Json): T {
  const [name = '', ...rest] = path.split('.')
  const below = (at: Json | undefined) =>
    rest.length === 0 ? value : withVpValue((at ?? {}) as Json, rest.join('.'), value)
  if (Array.isArray(document)) return document.with(Number(name), below(document[Number(name)])) as Json as T
  const object = document as JsonObject
  return { ...object, [name]: below(object[name]) } as Json as T
}

/** A machine's target and its last report, by the hashes of their documents. */
export interface VpStand {
  /** The saved configuration. */
  saved: string
  /** The document that was sent last; null before. */
  sent: string | null
  /** When the machine reported that it has applied it; null before. */
  appliedAt: Date | null
  /** Whether the machine has ever reported the sent document. */
  wasConfirmed: boolean
  reported: { hash: string; at: Date } | null
}

/**
 * Whether a machine has the saved configuration: only its own report counts. A difference after the machine had the sent document was
 * caused at the machine.
 */
export function vpSyncOf({ saved, sent, appliedAt, wasConfirmed, reported }: VpStand): {
  sync: ConfigurationSync
  editedOn: ConfigurationEdit | null
} {
  if (sent === null) return { sync: 'none', editedOn: null }
  if (reported?.hash === saved) return { sync: 'sync', editedOn: null }
  const hadIt = wasConfirmed || (appliedAt !== null && reported !== null && reported.at >= appliedAt)
  const isOther = reported !== null && reported.hash !== sent
  return { sync: 'pending', editedOn: hadIt && isOther ? 'device' : 'portal' }
}
