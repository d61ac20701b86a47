import { groupsHeader, isOfManyMachines } from '#contract/frame/group-lens.ts'
import { onLogout } from './session/onLogout.ts'

/** The user's selected groups, as their header contains them; undefined for all. */
let lens = ''
onLogout('groups', () => lookAtGroups([]))

/** Narrows calls on many machines to these groups from now on; earlier answers keep their own keys. */
export function lookAtGroups(ids: readonly string[]) {
  lens = [...ids].sort().join(',')
}

/** The groups that narrow a call of this row; undefined for calls on one record, and for calls beyond the selection. */
export const groupsOf = (row: { path: string }, input: { isWhole?: boolean } = {}): string =>
  input.isWhole || !isOfManyMachines(row) ? '' : lens

export const groupHeaders = (groups: string): Record<string, string> => (groups ? { [groupsHeader]: groups } : {})
