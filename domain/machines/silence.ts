/** Machines of a place that stop answering within this time have probably lost its power or its network. */
const togetherMs = 15 * 60_000

interface LastSeen {
  id: string
  lastSeenAt: Date | null
}

/** The offline machines of a place that stopped answering together with this machine. */
export const silentTogether = <T extends LastSeen>(machine: LastSeen, offline: readonly T[]): T[] => {
  const { id, lastSeenAt } = machine
  if (!lastSeenAt) return []
  return offline.filter(
    (other) =>
      other.id !== id &&
      other.lastSeenAt !== null &&
      Math.abs(other.lastSeenAt.getTime() - lastSeenAt.getTime()) <= togetherMs,
  )
}
