import type { ChangeLogEntry } from '#contract/platform/change-log.ts'

type Facts = NonNullable<ChangeLogEntry['before']>
export type Value = Facts[string] | undefined

export interface Difference {
  field: string
  before: Value
  after: Value
  isChanged: boolean
}

/** What stands beside a record and says nothing of a change: whose it is, and what lists name with it. */
const beside = new Set([
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
const isSaid = (value: Value) => value !== undefined && value !== null
/** Nothing is nothing, whether it was said or not: what is made without a phone has not changed it. */
const same = (one: Value, other: Value) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** Field by field what a record was and is; of a change what changed stands first. */
export function differencesOf({ before, after }: Pick<ChangeLogEntry, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const all = fields
    .filter((field) => !beside.has(field) && (isSaid(before?.[field]) || isSaid(after?.[field])))
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    // An act may say what it did alone: of the rest nobody knows more than that it was there.
    .map((one) => ({ ...one, isChanged: !same(one.before, one.after) }))
  return [...all.filter(({ isChanged }) => isChanged), ...all.filter(({ isChanged }) => !isChanged)]
}
