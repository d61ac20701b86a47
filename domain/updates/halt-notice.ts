/** A user who may resume a halted rollout. */
export interface Decider {
  id: string
  /** Whether the user receives notifications. */
  isAsking: boolean
}

/**
 * The users who are mailed about a halt: of the users who may resume it, those with notifications and the user who started it, without the user
 * who halted it. A halt is never without a reader: without such users, all others who may resume it are mailed.
 */
export function noticeRecipients<D extends Decider>(
  deciders: readonly D[],
  { startedBy, haltedBy }: { startedBy: string | null; haltedBy: string | null },
): D[] {
  const others = deciders.filter(({ id }) => id !== haltedBy)
  const asking = others.filter(({ id, isAsking }) => isAsking || id === startedBy)
  return asking.length > 0 ? asking : others
}
