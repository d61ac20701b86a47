import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'
import { withinScope } from '../frame/tenant.ts'
import type { SaleRow } from '../ingest/ingest.ts'
import { insertFindings } from './finding.ts'

/** Machines reverse a sale at once; later the machine of a busy place would read thousands of rows for one reversal. */
const soon = sql.raw("interval '7 days'")

interface Reversed {
  id: string
  mediaId: string
  refundId: string
  posId: string
  at: Date
  amount: number
}

/**
 * Names the media that were refunded for sales which their machines reversed afterwards: the money went back twice. The caller has locked the
 * journals, as a refund of a sale does.
 */
export async function noteReversals(db: TenantDb, sales: readonly SaleRow[]): Promise<void> {
  const reversals = sales.filter(({ sale }) => sale.originalSeq !== undefined)
  for (const [merchantId, some] of Map.groupBy(reversals, (row) => row.merchantId)) {
    const merchantDb = withinScope(db, [{ merchantId, groups: 'all' }])
    const { rows } = await sql<Reversed>`
      select back.id, refund.media_id as "mediaId", refund.id as "refundId", back.machine_id as "posId", back.at,
        least(abs(back.value), refund.amount)::bigint as amount
      from unnest(${some.map(({ id }) => id)}::uuid[], ${some.map(({ machineId }) => machineId)}::uuid[],
        ${some.map(({ at }) => new Date(at).toISOString())}::timestamptz[], ${some.map(({ epoch }) => epoch)}::int[],
        ${some.map(({ sale }) => sale.originalSeq as number)}::bigint[], ${some.map(({ sale }) => sale.value)}::bigint[])
        as back (id, machine_id, at, epoch, original_seq, value)
      join transactions t on ${merchantDb.own('t')} and t.merchant_id = ${merchantId} and t.machine_id = back.machine_id
        and t.seq = back.original_seq and t.epoch = back.epoch
        and t.created_at between back.at - ${soon} and back.at + interval '1 day'
      join refunds refund on ${merchantDb.own('refund')} and refund.merchant_id = ${merchantId} and refund.transaction_id = t.id`.execute(
      merchantDb.query,
    )
    await insertFindings(
      merchantDb,
      merchantId,
      rows.map(({ id, mediaId, refundId, posId, at, amount }) => ({
        mediaId,
        kind: 'reversedAfterRefund' as const,
        key: `reversedAfterRefund ${id} ${refundId}`.slice(0, 120),
        at,
        posId,
        amount,
        facts: { refundId },
      })),
    )
  }
}
