import type { Wait } from '#contract/device-protocol.ts'
import { noNode } from '#database/frame/nodes/placement.ts'
import { waitMsOf, waitOf } from '#domain/machines/overload.ts'
import { counted } from '../metrics.ts'

export interface Overload {
  /** Counts a message of the machine until the returned function is called: it is stored, refused or given up. */
  received(serial: string): () => void
  /** Whether the machine has a message that is not stored yet. */
  isWaiting(serial: string): boolean
  /** Seconds that a machine must wait; 0 while the gateway, and the machine's database node, keep up. */
  seconds(serial: string): number
  /** A machine listens: during an overload it gets its time to wait. */
  listening(serial: string): void
  stop(): void
}

const checkMs = 1_000
/** So many machines are called back a second: each sends what it has kept. */
const calledBackEachSecond = 200

/**
 * Tells machines to wait while the gateway is overloaded, and calls them back afterwards, the longest waiting first. A database node that
 * is away concerns its own machines alone.
 */
export function createOverload(parts: {
  send: (serial: string, wait: Wait) => void
  isReachable: (serial: string) => boolean
  /** Share of the memory for messages in use, 0 to 1; of several database nodes, that of one node's part. */
  memoryShare: (node: string) => number
  /** Of several database nodes, the one of a machine. */
  nodeOf?: (serial: string) => string
}): Overload {
  /** By machine: its unstored messages, the oldest first. */
  const unstored = new Map<string, Set<{ since: number }>>()
  /** Machines that wait, with the earliest and the latest end of their wait, in the order in which they started. */
  const holding = new Map<string, { earliest: number; latest: number }>()
  const { nodeOf = () => noNode } = parts
  /** By node that does not keep up. */
  const secondsOf = new Map<string, number>()
  const waitFor = (serial: string) => secondsOf.get(nodeOf(serial)) ?? 0

  function tell(serial: string): void {
    const seconds = waitFor(serial)
    const now = performance.now()
    if ((holding.get(serial)?.earliest ?? 0) > now || !parts.isReachable(serial)) return
    holding.delete(serial)
    holding.set(serial, { earliest: now + waitMsOf(seconds, 0), latest: now + waitMsOf(seconds, 1) })
    counted.waits.inc()
    parts.send(serial, { seconds })
  }

  function callBack(): void {
    const now = performance.now()
    let called = 0
    for (const [serial, { latest }] of holding) {
      if (called >= calledBackEachSecond) return
      if (waitFor(serial) > 0) continue
      holding.delete(serial)
      // It has returned without a call.
      if (latest <= now) continue
      called += 1
      parts.send(serial, { seconds: 0 })
    }
  }

  function check(): void {
    const now = performance.now()
    const waited = Map.groupBy(unstored, ([serial]) => nodeOf(serial))
    for (const node of new Set([...waited.keys(), ...secondsOf.keys(), noNode])) {
      const messages = waited.get(node) ?? []
      const seconds = waitOf({
        waitedMs: messages.map(([, [oldest]]) => now - (oldest?.since ?? now)),
        memoryShare: parts.memoryShare(node),
      })
      if (seconds > 0) secondsOf.set(node, seconds)
      else secondsOf.delete(node)
      if (seconds > 0) for (const [serial] of messages) tell(serial)
    }
    counted.overload.set(secondsOf.size > 0 ? 1 : 0)
    callBack()
  }

  const timer = setInterval(check, checkMs).unref()
  return {
    received(serial) {
      const messages = unstored.get(serial) ?? new Set()
      const message = { since: performance.now() }
      unstored.set(serial, messages.add(message))
      if (waitFor(serial) > 0) tell(serial)
      return () => {
        messages.delete(message)
        if (messages.size === 0 && unstored.get(serial) === messages) unstored.delete(serial)
      }
    },
    isWaiting: (serial) => unstored.has(serial),
    seconds: waitFor,
    listening(serial) {
      if (waitFor(serial) > 0) tell(serial)
    },
    stop: () => clearInterval(timer),
  }
}
