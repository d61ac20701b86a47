import type pg from 'pg'
import { isDistributed } from '../distributed.ts'
import type { Pools } from '../pool.ts'
import { createNodeTurns } from './node-turns.ts'
import { keepNodes, nodeOf } from './placement.ts'

/** A connection of a pool, and how it is given back. */
export type HeldConnection = { client: pg.PoolClient; release: (error?: Error) => void }

/** Calls on several merchants count as a node of their own. */
const severalMerchants = 'several merchants'

/** Connections of gettone_app for calls on these merchants. Nodes that are away never take all connections. */
export function appConnections({ app, system }: Pools): (merchantIds: readonly string[]) => Promise<HeldConnection> {
  const turns = createNodeTurns(app.options.max ?? 10)
  return async (merchantIds) => {
    if (!isDistributed()) {
      const client = await app.connect()
      return { client, release: (error) => client.release(error) }
    }
    keepNodes(system, merchantIds)
    const [first = '', ...others] = merchantIds
    const giveBack = await turns.take(others.length > 0 ? severalMerchants : nodeOf(first))
    try {
      const client = await app.connect()
      return {
        client,
        release: (error) => {
          client.release(error)
          giveBack()
        },
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }
}
