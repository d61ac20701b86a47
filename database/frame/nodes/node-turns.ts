import { fairRoom } from '#domain/frame/fair-room.ts'

/** The connections of a pool, shared out among nodes: calls that wait for one node leave connections for the others. */
export interface NodeTurns {
  /** Resolves when a call on this node may take a connection; the returned function gives it back. Rejects after a long wait. */
  take(node: string): Promise<() => void>
}

/** SQLSTATE of too many connections: the caller may try again. */
const tooManyConnections = '53300'

export function createNodeTurns(size: number, patienceMs = 30_000): NodeTurns {
  const held = new Map<string, number>()
  let inAll = 0
  type Waiting = { node: string; start: () => void }
  const waiting = new Set<Waiting>()

  const mayStart = (node: string) => {
    const own = held.get(node) ?? 0
    return own < fairRoom(size, inAll - own)
  }

  function start(node: string): () => void {
    held.set(node, (held.get(node) ?? 0) + 1)
    inAll += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      inAll -= 1
      held.set(node, (held.get(node) ?? 0) - 1)
      for (const next of waiting) if (mayStart(next.node)) next.start()
    }
  }

  return {
    async take(node) {
      if (mayStart(node)) return start(node)
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(call)
          reject(Object.assign(new Error('Too many calls wait for a database node'), { code: tooManyConnections }))
        }, patienceMs)
        const call = {
          node,
          start: () => {
            clearTimeout(late)
            waiting.delete(call)
            resolve(start(node))
          },
        }
        waiting.add(call)
      })
    },
  }
}
