import type { CompiledQuery } from 'kysely'
import type pg from 'pg'

/** How many merchants one call reads at the same time. */
const mostAtOnce = 4

/** Sends one statement on a connection. */
type Send = (client: pg.PoolClient, statement: pg.QueryConfig) => Promise<pg.QueryResult>

/** Runs a statement once for each of these merchants, narrowed to it; the results are in the order of the merchants. */
export type Apart = (
  statement: Pick<CompiledQuery, 'sql' | 'parameters'>,
  merchantIds: readonly string[],
  types?: pg.CustomTypesConfig,
) => Promise<pg.QueryResult[]>

const ofScopes = new WeakSet<readonly string[]>()

/** Ids of merchants as a parameter, which a statement that runs for each merchant apart has for this one only. */
export function ofScope(merchantIds: readonly string[]): readonly string[] {
  ofScopes.add(merchantIds)
  return merchantIds
}

const narrowed = (parameters: readonly unknown[], merchantId: string): unknown[] =>
  parameters.map((value) =>
    Array.isArray(value) && ofScopes.has(value) ? value.filter((id) => id === merchantId) : value,
  )

const setScope = (merchantIds: readonly string[]) => `set local app.merchant_ids = '{${merchantIds.join()}}'`

/** Reads merchants at the same time, each lane in a transaction and on a connection of its own. */
export function apartOnLanes(pool: pg.Pool, send: Send): Apart {
  return async ({ sql, parameters }, merchantIds, types) => {
    const results: pg.QueryResult[] = []
    let next = 0
    const lane = async () => {
      const client = await pool.connect()
      try {
        await client.query('begin read only')
        for (let at = next++; at < merchantIds.length; at = next++) {
          const merchantId = merchantIds[at] as string
          await client.query(setScope([merchantId]))
          const values = narrowed(parameters, merchantId)
          results[at] = await send(client, { text: sql, values, ...(types && { types }) })
        }
        await client.query('commit')
        client.release()
      } catch (error) {
        next = merchantIds.length
        // A connection that cannot roll back is discarded.
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
        throw error
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: Math.min(mostAtOnce, merchantIds.length) }, lane))
    for (const one of lanes) if (one.status === 'rejected') throw one.reason
    return results
  }
}

/** Reads merchants one after the other in the transaction of a write, whose changes are seen; its scope is `all`. */
export function apartInTransaction(client: pg.PoolClient, all: readonly string[], send: Send): Apart {
  return async ({ sql, parameters }, merchantIds, types) => {
    const results: pg.QueryResult[] = []
    for (const merchantId of merchantIds) {
      await client.query(setScope([merchantId]))
      const values = narrowed(parameters, merchantId)
      results.push(await send(client, { text: sql, values, ...(types && { types }) }))
    }
    await client.query(setScope(all))
    return results
  }
}
