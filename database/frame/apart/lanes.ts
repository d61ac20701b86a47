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
const ofPairs = new WeakSet<readonly string[]>()

/** Ids of merchants as a parameter, which a statement that runs for each merchant apart has for this one only. */
export function ofScope(merchantIds: readonly string[]): readonly string[] {
  ofScopes.add(merchantIds)
  return merchantIds
}

/**
 * The id of a merchant with some of its groups, as a parameter. A statement that runs for another merchant has this one's id instead: no
 * machine of it is in the groups. No id would do as well, but Citus cannot place a sub-select on no merchant.
 */
export function ofPair(merchantIds: readonly string[]): readonly string[] {
  ofPairs.add(merchantIds)
  return merchantIds
}

/**
 * The statement for one merchant: its id is a value instead of a list, from which the planner concludes the merchant of tables that are joined
 * to others by it.
 */
function narrowed({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>, merchantId: string): pg.QueryConfig {
  const isThis = (at: number) => {
    const value = parameters[at]
    if (!Array.isArray(value)) return undefined
    return ofPairs.has(value) || (ofScopes.has(value) ? value.includes(merchantId) : undefined)
  }
  const text = sql.replace(/= any\(\$(\d+)::uuid\[\]\)/g, (list, number: string) => {
    const is = isThis(Number(number) - 1)
    // The planner drops a comparison with null, but none with an empty list, beside which it would conclude no merchant.
    return is === undefined ? list : is ? `= $${number}::uuid` : `= nullif($${number}::uuid, $${number}::uuid)`
  })
  const values = parameters.map((value, at) => (isThis(at) === undefined ? value : merchantId))
  return { text, values }
}

const setScope = (merchantIds: readonly string[]) => `set local app.merchant_ids = '{${merchantIds.join()}}'`

/** Reads merchants at the same time, each lane in a transaction and on a connection of its own. */
export function apartOnLanes(pool: pg.Pool, send: Send): Apart {
  return async (statement, merchantIds, types) => {
    const results: pg.QueryResult[] = []
    let next = 0
    const lane = async () => {
      const client = await pool.connect()
      try {
        await client.query('begin read only')
        for (let at = next++; at < merchantIds.length; at = next++) {
          const merchantId = merchantIds[at] as string
          await client.query(setScope([merchantId]))
          results[at] = await send(client, { ...narrowed(statement, merchantId), ...(types && { types }) })
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
  return async (statement, merchantIds, types) => {
    const results: pg.QueryResult[] = []
    for (const merchantId of merchantIds) {
      await client.query(setScope([merchantId]))
      results.push(await send(client, { ...narrowed(statement, merchantId), ...(types && { types }) }))
    }
    await client.query(setScope(all))
    return results
  }
}
