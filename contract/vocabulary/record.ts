/**
 * Records that people create, edit and delete in one way (`editable` on the server). Of each the change log names what was done to it,
 * and a live hint refreshes the screens that show it.
 */
export const recordNouns = ['group', 'client', 'sapCode'] as const
export type RecordNoun = (typeof recordNouns)[number]

const verbs = ['create', 'update', 'delete'] as const
export type RecordAction = `${RecordNoun}.${(typeof verbs)[number]}`
export const recordActions: readonly RecordAction[] = recordNouns.flatMap((noun) =>
  verbs.map((verb) => `${noun}.${verb}` as const),
)
