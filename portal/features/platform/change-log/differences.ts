import type { ChangeLogEntry } from '#contract/platform/change-log.ts'

type Facts = NonNullable<ChangeLogEntry['before']>
export type Value = Facts[string] | undefined

export interface Difference {
  field: string
  before: Value
  after: Value
  isChanged: boolean
}

/** Fields that do not show a change: the record's merchant, and names joined for lists. */
const hiddenFields = new Set([
  'version',
  'id',
  'merchantId',
  'merchantName',
  'groupName',
  'posName',
  'posSerial',
  'posConnection',
  'posLastSeenAt',
  'isMine',
])
const isPresent = (value: Value) => value !== undefined && value !== null
/** An absent field equals null: a record created without a phone has no changed phone. */
const same = (one: Value, other: Value) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** A record before and after, field by field; of an update, changed fields are first. */
export function differencesOf({ before, after }: Pick<ChangeLogEntry, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const all = fields
    .filter((field) => !hiddenFields.has(field) && (isPresent(before?.[field]) || isPresent(after?.[field])))
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    // An action may log only its own fields: the values of the others are unknown.
    .map((one) => ({ ...one, isChanged: !same(one.before, one.after) }))
  return [...all.filter(({ isChanged }) => isChanged), ...all.filter(({ isChanged }) => !isChanged)]
}
