import { sql } from 'kysely'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { transactionTypes } from '#contract/vocabulary/transaction.ts'
import { type Currency } from '#contract/vocabulary/world/currencies.ts'
import { smallestNote } from '#contract/vocabulary/world/denominations.ts'
import { isEmptied } from '#domain/cash/collection.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { AuditRow } from '../ingest/audit-rows.ts'
import type { CashRow, ItemHead, SaleRow } from '../ingest/ingest.ts'
import { collectionOfSource, moveReading, openCollection } from './collection.ts'

const collectionSale = transactionTypes.collection
const collectionAudit = auditOrigins.collection

interface Neighbours {
  merchantId: string
  machineId: string
  currency: Currency
  id: string
  at: Date
  box: number
  beforeAt: Date | null
  beforeBox: number | null
  afterId: string | null
  afterAt: Date | null
  afterBox: number | null
}

/** Reports of the cash box, each with the report before and after it; the report after it may have arrived earlier. */
async function neighboursOf(db: TenantDb, rows: readonly CashRow[]): Promise<Neighbours[]> {
  const next = (side: 'before' | 'after') => sql`(
    select c.id, c.at, c.box from cash_readings c
    where ${db.own('c')} and c.merchant_id = r.merchant_id and c.machine_id = r.machine_id and c.box is not null
      and (c.at, c.id) ${sql.raw(side === 'before' ? '<' : '>')} (r.at, r.id)
    order by c.at ${sql.raw(side === 'before' ? 'desc' : 'asc')}, c.id ${sql.raw(side === 'before' ? 'desc' : 'asc')} limit 1)`
  const { rows: neighbours } = await sql<Neighbours>`
    select r.merchant_id as "merchantId", r.machine_id as "machineId", merchants.currency, r.id, r.at, r.box,
      p.at as "beforeAt", p.box as "beforeBox", n.id as "afterId", n.at as "afterAt", n.box as "afterBox"
    from unnest(${rows.map(({ merchantId }) => merchantId)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ at }) => new Date(Math.floor(at)))}::timestamptz[]) as wanted (merchant_id, id, at)
    join cash_readings r on r.merchant_id = wanted.merchant_id and r.at = wanted.at and r.id = wanted.id and ${db.own('r')}
    join merchants on merchants.id = r.merchant_id
    left join lateral ${next('before')} p on true
    left join lateral ${next('after')} n on true
    order by r.machine_id, r.at, r.id`.execute(db.query)
  return neighbours
}

/** Finds emptied boxes in new cash reports. A late report may show that a box was emptied before a report that arrived earlier. */
async function noteEmptied(db: TenantDb, rows: readonly CashRow[]): Promise<boolean> {
  const reports = rows.filter(({ cash }) => cash.box !== undefined)
  if (reports.length === 0) return false
  let isNoted = false
  for (const one of await neighboursOf(db, reports)) {
    const { merchantId, machineId, id, at, box, beforeAt, beforeBox, afterId, afterAt, afterBox } = one
    const fell = (from: number | null, to: number | null) =>
      from !== null && to !== null && isEmptied(from, to, smallestNote(one.currency))
    const machine = { merchantId, machineId }
    const isHere = fell(beforeBox, box)
    const isAfter = fell(box, afterBox)
    const stored = afterId && (await collectionOfSource(db, merchantId, { source: 'reading', sourceId: afterId }))
    if (stored && isHere && !isAfter) await moveReading(db, machine, afterId, { id, at, since: beforeAt as Date })
    else {
      if (isHere) await openCollection(db, { ...machine, source: 'reading', sourceId: id, at, since: beforeAt as Date })
      if (isAfter && stored) await moveReading(db, machine, afterId, { id: afterId, at: afterAt as Date, since: at })
      else if (isAfter)
        await openCollection(db, {
          ...machine,
          source: 'reading',
          since: at,
          sourceId: afterId as string,
          at: afterAt as Date,
        })
    }
    isNoted ||= isHere || isAfter
  }
  return isNoted
}

/**
 * Opens collections for what machines report of emptied boxes: transactions, audits and cash reports that are stored in this transaction.
 * The journals of the machines are locked. Returns the machines with a collection.
 */
export async function noteCollections(
  db: TenantDb,
  { sale, cash, audit }: { sale: readonly SaleRow[]; cash: readonly CashRow[]; audit: readonly AuditRow[] },
): Promise<ItemHead[]> {
  const noted: ItemHead[] = []
  const note = async (row: ItemHead, source: 'sale' | 'audit', amount?: number) => {
    const { merchantId, machineId, id: sourceId } = row
    const at = new Date(Math.floor(row.at))
    await openCollection(db, { merchantId, machineId, source, sourceId, at, ...(amount !== undefined && { amount }) })
    noted.push(row)
  }
  for (const row of sale)
    if (row.sale.type === collectionSale && !row.sale.errorSale) await note(row, 'sale', Math.abs(row.sale.value))
  for (const row of audit) if (row.origin === collectionAudit) await note(row, 'audit')
  for (const [, rows] of Map.groupBy(cash, ({ machineId }) => machineId)) {
    const [first] = rows
    if (first && (await noteEmptied(db, rows))) noted.push(first)
  }
  return noted
}
