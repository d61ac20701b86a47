import type { AuditRow, audits } from '#contract/audit.ts'
import { AuditContent } from '#contract/audit-content.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/instant.ts'
import { findAudit, findRawAudit, listAudits } from '#database/audit.ts'
import { type IntervalSums, reconcileAudits } from '#database/reconciliation.ts'
import type { Handlers } from './handler.ts'
import { presentInterval } from './reconciliation.ts'
import { machineOf } from './refuse.ts'

type Listed = Awaited<ReturnType<typeof listAudits>>['rows'][number]

export const presentAuditRow = (row: Listed, sums: ReadonlyMap<string, IntervalSums>): AuditRow => ({
  id: row.id,
  posId: row.machine_id,
  merchantId: row.merchant_id,
  readAt: toWire(row.read_at),
  machineTime: row.machine_time,
  origin: row.origin,
  port: row.port as AuditRow['port'],
  crc: row.crc as AuditRow['crc'],
  size: row.size,
  warnings: row.warnings,
  currency: row.currency as AuditRow['currency'],
  salesTotal: row.sales_total,
  vendsTotal: row.vends_total,
  selectionsTotal: row.selections_total,
  interval: intervalOf(sums.get(row.id)),
})

const intervalOf = (sums: IntervalSums | undefined) => (sums ? presentInterval(sums) : null)

export const auditHandlers: Handlers<typeof audits> = {
  listAudits: async ({ db, params, query }) => {
    await machineOf(db, params.posId)
    const { rows, total, capped } = await listAudits(db, params.posId, query)
    const sums = await reconcileAudits(
      db,
      params.posId,
      rows.map(({ id }) => id),
    )
    return { items: rows.map((row) => presentAuditRow(row, sums)), total, capped }
  },

  getAudit: async ({ db, params }) => {
    await machineOf(db, params.posId)
    const audit = await findAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const sums = await reconcileAudits(db, params.posId, [audit.id])
    return { ...presentAuditRow(audit, sums), content: AuditContent.parse(audit.content) }
  },

  getRawAudit: async ({ db, params, reply }) => {
    await machineOf(db, params.posId)
    const audit = await findRawAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const name = `${audit.serial}-${audit.read_at.toISOString().slice(0, 19).replaceAll(':', '')}.eva`
    reply.header('content-disposition', `attachment; filename="${name}"`).send(audit.raw)
    return undefined
  },
}
