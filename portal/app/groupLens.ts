import { groupsHeader, isOfManyMachines } from '#contract/frame/group-lens.ts'
import { onLogout } from './session/onLogout.ts'

/** The groups that the person looks at, as their header has them; nothing for all. */
let lens = ''
onLogout('groups', () => lookAtGroups([]))

/** From here on calls on many machines are narrowed to these groups, and what they answered before is another answer. */
export function lookAtGroups(ids: readonly string[]) {
  lens = [...ids].sort().join(',')
}

/** What narrows a call of this row; nothing for calls on one thing, and for those that ask beyond it. */
export const lensOf = (row: { path: string }, input: { isWhole?: boolean } = {}): string =>
  input.isWhole || !isOfManyMachines(row) ? '' : lens

export const lensHeaders = (groups: string): Record<string, string> => (groups ? { [groupsHeader]: groups } : {})
