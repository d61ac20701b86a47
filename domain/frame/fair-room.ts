/**
 * How much of a limit one of several nodes may use: half of what the others leave. However many nodes are away, something is left for the
 * rest, and a node that is alone gets half.
 */
export const fairRoom = (limit: number, usedByOthers: number): number =>
  Math.max(1, Math.ceil((limit - usedByOthers) / 2))
