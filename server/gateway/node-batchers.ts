import { type Batcher, type BatcherSettings, createBatcher, type Gathered } from './batcher.ts'

/**
 * A batcher for each node of the database: while one is slow or away, its batches wait, and those of the others are stored. On one node
 * there is one.
 */
export function createNodeBatchers<In extends Gathered, Out>(
  store: (inputs: In[]) => Promise<Out[]>,
  settings: BatcherSettings,
  nodeOf: (merchantId: string) => string,
): Batcher<In, Out> {
  const batchers = new Map<string, Batcher<In, Out>>()
  /** Items of one machine stay in their order: a merchant's node counts once nothing of the merchant waits. */
  const ofMerchants = new Map<string, { batcher: Batcher<In, Out>; waiting: number }>()

  function batcherOn(node: string): Batcher<In, Out> {
    const batcher = batchers.get(node) ?? createBatcher<In, Out>(store, settings)
    batchers.set(node, batcher)
    return batcher
  }

  return {
    async add(input) {
      const { merchantId } = input.machine
      const known = ofMerchants.get(merchantId) ?? { batcher: batcherOn(nodeOf(merchantId)), waiting: 0 }
      if (known.waiting === 0) known.batcher = batcherOn(nodeOf(merchantId))
      ofMerchants.set(merchantId, known)
      known.waiting += 1
      try {
        return await known.batcher.add(input)
      } finally {
        known.waiting -= 1
      }
    },
    async stop(graceMs) {
      await Promise.all([...batchers.values()].map((batcher) => batcher.stop(graceMs)))
    },
  }
}
