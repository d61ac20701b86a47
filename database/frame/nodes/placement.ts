import type pg from 'pg'
import { isDistributed } from '../distributed.ts'

/** What is not on one of several nodes: everything on one node, and merchants whose node is not known yet. */
export const noNode = ''

const lookEveryMs = 60_000
/** A new merchant is looked for this often. */
const lookForNewMs = 2_000

/** By merchant, the node with its rows. */
let nodes: ReadonlyMap<string, string> = new Map()
let lookedAt = Number.NEGATIVE_INFINITY
let looking: Promise<void> | undefined
/** A look that waits for a new merchant. */
let soon: NodeJS.Timeout | undefined

/**
 * The node of a merchant's rows, by which waiting work is kept apart: a node that is away delays no merchant of the others. It is a hint,
 * a minute old at most: the database itself finds the rows of a merchant that has moved.
 */
export const nodeOf = (merchantId: string): string => nodes.get(merchantId) ?? noNode

/**
 * The merchants by their node, for work on all merchants that no node may stop: one part for each node. One part without a list where all
 * merchants are on one node, or none is placed yet.
 */
export const partsByNode = (): readonly NodePart[] => (isDistributed() && parts.length > 0 ? parts : [whole])

export interface NodePart {
  node: string
  merchantIds?: readonly string[]
}

const whole: NodePart = { node: noNode }
let parts: readonly NodePart[] = []

function place(known: ReadonlyMap<string, string>): void {
  nodes = known
  const byNode = Map.groupBy(known, ([, node]) => node)
  parts = [...byNode].map(([node, merchants]) => ({ node, merchantIds: merchants.map(([id]) => id) }))
}

/** Names the nodes of merchants, for tests. */
export function setNodes(known: ReadonlyMap<string, string>): void {
  place(known)
  lookedAt = performance.now()
}

/**
 * Reads the nodes again when they are old, or when a merchant of the call has none yet: then soon, also if no other call follows. No call
 * waits for it.
 */
export function keepNodes(pool: pg.Pool, merchantIds: readonly string[]): void {
  if (!isDistributed()) return
  const age = performance.now() - lookedAt
  if (age >= lookEveryMs) look(pool)
  else if (merchantIds.some((id) => !nodes.has(id)))
    soon ??= setTimeout(() => look(pool), Math.max(0, lookForNewMs - age)).unref()
}

function look(pool: pg.Pool): void {
  clearTimeout(soon)
  soon = undefined
  if (looking) return
  lookedAt = performance.now()
  looking = readNodes(pool)
    // After a failure a later call reads them.
    .then(place, () => {})
    .finally(() => {
      looking = undefined
    })
}

/** Answered by the coordinator alone, also while nodes are away. */
async function readNodes(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const merchants = await pool.query<{ id: string }>('select id from merchants')
  const { rows } = await pool.query<{ id: string; node: string }>(
    `select id, placement.groupid::text as node from unnest($1::uuid[]) as merchant (id)
     join pg_dist_placement placement on placement.shardid = get_shard_id_for_distribution_column('public.machines', id)`,
    [merchants.rows.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, node }) => [id, node]))
}
