import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '#contract/configurations/vp-document.ts'
import type { VpConfigItem } from '#contract/device-protocol.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'

export interface VpReportRow extends ItemHead {
  report: VpConfigItem
}

/** The SHA-256 of a document, as machines compute it. */
export const vpHash = (canonical: string): string => createHash('sha256').update(canonical).digest('hex')

/** Stores the newest report of each machine whose journal the caller has locked, and confirms targets. Later reports win by number. */
export async function insertVpReports(db: TenantDb, rows: readonly VpReportRow[]): Promise<void> {
  for (const { report, ...row } of rows.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0))) {
    const { document } = report
    const at = new Date(row.at)
    // The document decides; only a machine that sends none is believed its hash.
    const stored = {
      reported_at: at,
      epoch: row.epoch ?? 0,
      seq: row.seq ?? 0,
      sha256: document ? vpHash(canonicalJson(document)) : report.sha256,
      name: report.name ?? null,
      schema_version: report.schemaVersion ?? null,
      document: document ? JSON.stringify(document) : null,
    }
    await db.query
      .insertInto('vp_reports')
      .values({ merchant_id: row.merchantId, machine_id: row.machineId, ...stored })
      .onConflict((conflict) =>
        conflict
          .columns(['merchant_id', 'machine_id'])
          .doUpdateSet(stored)
          .where(sql<boolean>`(vp_reports.epoch, vp_reports.seq) <= (${stored.epoch}::int, ${stored.seq}::bigint)`),
      )
      .execute()
    await db.query
      .updateTable('vp_targets')
      .set({ confirmed_at: at })
      .where('merchant_id', '=', row.merchantId)
      .where('machine_id', '=', row.machineId)
      .where('sha256', '=', stored.sha256)
      .where('confirmed_at', 'is', null)
      .execute()
  }
}
