type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Equal by content: a database gives an object's keys back in another order. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other
  const names = Object.keys(one)
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame(one[name], other[name]))
  )
}

/** A field that both sides have changed, each to something else. */
export interface EditConflict {
  field: string
  theirs: unknown
  mine: unknown
}

/** Two changes of one record that are based on the same version. */
export interface Merge<T extends Fields> {
  /** Both changes merged. Conflicting fields have my value. */
  merged: T
  conflicts: EditConflict[]
  /** Fields that only they have changed. */
  theirs: string[]
}

/** Merges two changes field by field. Only fields that both changed to different values need a decision. */
export function mergeEdits<T extends Fields>(base: T, edited: T, current: T): Merge<T> {
  const merged: Fields = { ...edited }
  const result: Merge<T> = { merged: merged as T, conflicts: [], theirs: [] }
  // A field that one side lacks has been removed there, or added on the other side.
  for (const field of new Set([...Object.keys(edited), ...Object.keys(current)])) {
    if (isSame(current[field], base[field]) || isSame(current[field], edited[field])) continue
    if (isSame(edited[field], base[field])) {
      merged[field] = current[field]
      result.theirs.push(field)
    } else result.conflicts.push({ field, theirs: current[field], mine: edited[field] })
  }
  return result
}

/** Fields of an edit that differ from the record; fields that the edit leaves out are ignored. */
export const changedFields = (edit: Fields, record: Fields): string[] =>
  Object.keys(edit).filter((field) => edit[field] !== undefined && !isSame(edit[field], record[field]))

/**
 * Whether an edit comes too late: the version has increased since, and the record differs from the edit. If the record already equals
 * the edit, the edit was saved and only its answer got lost.
 */
export const isOvertaken = (edit: Fields & { version: number }, record: Fields & { version: number }): boolean => {
  const { version, ...fields } = edit
  return version !== record.version && changedFields(fields, record).length > 0
}

export interface Renaming {
  id: string
  /** Names are unique inside it. */
  merchantId: string
  before: string
  after: string
}

/**
 * Renamings whose new name is taken, when all happen at once: names that the others give up are free, the first renaming to
 * a name wins, and a refused row keeps its old name. `isHeld` says that a name belongs to a row that is not renamed.
 */
export function refusedNames(
  renamings: readonly Renaming[],
  isHeld: (merchantId: string, name: string) => boolean,
): Set<string> {
  const key = (merchantId: string, name: string) => `${merchantId} ${name}`
  const refused = new Set<string>()
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    const refusedRenamings = renamings.filter(({ id }) => refused.has(id))
    const usedNames = new Set(refusedRenamings.map(({ merchantId, before }) => key(merchantId, before)))
    for (const { id, merchantId, after } of renamings) {
      if (refused.has(id)) continue
      if (usedNames.has(key(merchantId, after)) || isHeld(merchantId, after)) {
        refused.add(id)
        isSettled = false
      } else usedNames.add(key(merchantId, after))
    }
  }
  return refused
}
