import { counted } from './metrics.ts'

export interface Budget {
  /** Counts bytes in memory until the returned function is called. */
  take(serial: string, bytes: number): () => void
  /** Whether more may be read from this machine. */
  hasRoom(serial: string): boolean
  /** The share of the memory in use, 0 to 1. */
  share(): number
  /** Calls back once, when there may be room again. */
  whenRoom(call: () => void): void
}

/**
 * Limits uncommitted data in memory, per machine and in total. Readers pause while there is no room, so that the network
 * makes the machines wait.
 */
export function createBudget(limits: { perMachine: number; inAll: number }): Budget {
  const bySerial = new Map<string, number>()
  let waiting: (() => void)[] = []
  let inAll = 0
  return {
    take(serial, bytes) {
      let isTaken = true
      inAll += bytes
      bySerial.set(serial, (bySerial.get(serial) ?? 0) + bytes)
      counted.bytesInFlight.set(inAll)
      return () => {
        if (!isTaken) return
        isTaken = false
        inAll -= bytes
        const left = (bySerial.get(serial) ?? 0) - bytes
        if (left > 0) bySerial.set(serial, left)
        else bySerial.delete(serial)
        counted.bytesInFlight.set(inAll)
        if (waiting.length === 0 || inAll >= limits.inAll) return
        const calls = waiting
        waiting = []
        for (const call of calls) call()
      }
    },
    share: () => inAll / limits.inAll,
    hasRoom: (serial) => inAll < limits.inAll && (bySerial.get(serial) ?? 0) < limits.perMachine,
    whenRoom(call) {
      waiting.push(call)
    },
  }
}
