import { noNode } from '#database/frame/nodes/placement.ts'
import { fairRoom } from '#domain/frame/fair-room.ts'
import { counted } from './metrics.ts'

export interface Budget {
  /** Counts bytes in memory until the returned function is called. */
  take(serial: string, bytes: number): () => void
  /** Whether more may be read from this machine. */
  hasRoom(serial: string): boolean
  /** Whether there is room, but none for this machine or for its database node. */
  isAlone(serial: string): boolean
  /** The share of the memory in use, 0 to 1; of several database nodes, that of one node's part. */
  share(node: string): number
  /** Calls back once, when there may be room again. */
  whenRoom(call: () => void): void
}

/**
 * Limits uncommitted data in memory, per machine and in total. Readers pause while there is no room, so that the network
 * makes the machines wait. A database node that is away takes no room from other nodes.
 */
export function createBudget(
  limits: { perMachine: number; inAll: number },
  nodeOf: (serial: string) => string = () => noNode,
): Budget {
  const bySerial = new Map<string, number>()
  const byNode = new Map<string, number>()
  let waiting: (() => void)[] = []
  let inAll = 0

  const add = (node: string, bytes: number) => {
    inAll += bytes
    byNode.set(node, (byNode.get(node) ?? 0) + bytes)
    counted.bytesInFlight.set(inAll)
  }
  const roomOf = (node: string) =>
    node === noNode ? limits.inAll : fairRoom(limits.inAll, inAll - (byNode.get(node) ?? 0))
  const isWithinShare = (serial: string) => {
    const node = nodeOf(serial)
    return (bySerial.get(serial) ?? 0) < limits.perMachine && (byNode.get(node) ?? 0) < roomOf(node)
  }

  return {
    take(serial, bytes) {
      let isTaken = true
      const node = nodeOf(serial)
      add(node, bytes)
      bySerial.set(serial, (bySerial.get(serial) ?? 0) + bytes)
      return () => {
        if (!isTaken) return
        isTaken = false
        add(node, -bytes)
        const left = (bySerial.get(serial) ?? 0) - bytes
        if (left > 0) bySerial.set(serial, left)
        else bySerial.delete(serial)
        if (waiting.length === 0 || inAll >= limits.inAll) return
        const calls = waiting
        waiting = []
        for (const call of calls) call()
      }
    },
    share: (node) => (node === noNode ? inAll / limits.inAll : (byNode.get(node) ?? 0) / roomOf(node)),
    hasRoom: (serial) => inAll < limits.inAll && isWithinShare(serial),
    isAlone: (serial) => inAll < limits.inAll && !isWithinShare(serial),
    whenRoom(call) {
      waiting.push(call)
    },
  }
}
