import { sql } from 'kysely'
import type { AuditPort, CrcVerdict } from '#contract/vocabulary/audit.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from './ingest.ts'
import { instant } from './instant.ts'

/** ISO 4217 "no currency": the product does not know the reading's currency. */
const noCurrency = 'XXX'

export interface AuditRow extends ItemHead {
  origin: number
  /** The origin in the words of a modem. */
  originWord: string | null
  port: AuditPort
  crc: CrcVerdict
  warnings: number
  sha256: Buffer
  /** Minor units of `currency`; null if not reported or if the currency is unknown. */
  currency: Currency | null
  salesTotal: number | null
  vendsTotal: number | null
  selectionsTotal: number | null
  content: unknown
  /** Prices by selection and price table, in minor units of the merchant's currency. */
  prices: readonly { selection: string; priceTable: number; price: number }[]
  raw: Uint8Array
}

/** Stores audits; identical bytes of the same machine, which the caller has locked, are one audit. Returns the new ones. */
export async function insertAudits(db: TenantDb, rows: readonly AuditRow[], savedAt: Date): Promise<AuditRow[]> {
  const stored: AuditRow[] = []
  for (const row of rows) {
    const same = await db
      .from('audits')
      .where('merchant_id', '=', row.merchantId)
      .where('machine_id', '=', row.machineId)
      .where('sha256', '=', row.sha256)
      .select('id')
      .limit(1)
      .executeTakeFirst()
    if (same) continue
    const at = instant(row.at)
    await db.query
      .insertInto('audits')
      .values({
        merchant_id: row.merchantId,
        read_at: at,
        id: row.id,
        machine_id: row.machineId,
        saved_at: savedAt,
        machine_time: row.machineTime,
        seq: row.seq,
        epoch: row.epoch,
        origin: row.origin,
        origin_word: row.originWord,
        port: row.port,
        crc: row.crc,
        size: row.raw.length,
        warnings: row.warnings,
        sha256: row.sha256,
        currency: row.currency ?? noCurrency,
        sales_total: row.salesTotal,
        vends_total: row.vendsTotal,
        selections_total: row.selectionsTotal,
        content: JSON.stringify(row.content),
        raw: Buffer.from(row.raw),
      })
      .execute()
    await sql`update machines set last_audit_at = greatest(last_audit_at, ${at}::timestamptz)
      where merchant_id = ${row.merchantId} and id = ${row.machineId}`.execute(db.query)
    stored.push(row)
  }
  return stored
}
