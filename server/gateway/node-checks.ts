import { type NodePart, partsByNode } from '#database/frame/nodes/placement.ts'
import { createBackoff } from '../retry/backoff.ts'

export interface NodeChecks {
  /** Begins a check on each database node that is neither being checked nor waits after a failure. */
  begin(): void
  /** The same; a check that runs begins again at its end. */
  again(): void
  /** Begins no more checks, and waits for running ones. */
  stop(): Promise<void>
}

/**
 * Checks of all merchants' rows, one at a time on each database node: a node that is slow or away delays no check of the others. A check
 * returns whether there is more. While a node is away, the pauses grow.
 */
export function createNodeChecks(
  check: (merchantIds: NodePart['merchantIds']) => Promise<boolean>,
  onFailure: (error: unknown) => void,
): NodeChecks {
  type Lane = { running?: Promise<void> | undefined; isWoken: boolean; backoff: ReturnType<typeof createBackoff> }
  const lanes = new Map<string, Lane>()
  let isStopped = false

  async function run(lane: Lane, merchantIds: NodePart['merchantIds']): Promise<void> {
    try {
      do {
        lane.isWoken = false
        if (await check(merchantIds)) lane.isWoken = true
      } while (lane.isWoken && !isStopped)
      lane.backoff.worked()
    } catch (error) {
      lane.backoff.failed()
      onFailure(error)
    } finally {
      lane.running = undefined
    }
  }

  function begin(isWoken: boolean): void {
    if (isStopped) return
    for (const { node, merchantIds } of partsByNode()) {
      const lane: Lane = lanes.get(node) ?? { isWoken: false, backoff: createBackoff() }
      lanes.set(node, lane)
      lane.isWoken ||= isWoken
      if (!lane.running && lane.backoff.isDue()) lane.running = run(lane, merchantIds)
    }
  }

  return {
    begin: () => begin(false),
    again: () => begin(true),
    async stop() {
      isStopped = true
      await Promise.all([...lanes.values()].map(({ running }) => running))
    },
  }
}
