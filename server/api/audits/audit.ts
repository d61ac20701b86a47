import { AuditRow, type audits } from '#contract/audits/audit.ts'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { ProductError } from '#contract/errors.ts'
import { findAudit, findRawAudit, listAudits, readingCurrency } from '#database/audits/audit.ts'
import { type IntervalSums, reconcileAudits } from '#database/audits/reconciliation.ts'
import { seesBoxes } from '#database/frame/sights/blind-count.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { withoutBoxes } from '#domain/audits/without-boxes.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf, refuseBoxes } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { presentInterval } from './reconciliation.ts'

type Listed = Awaited<ReturnType<typeof listAudits>>['rows'][number]

export const presentAuditRow = (db: TenantDb, row: Listed, sums: ReadonlyMap<string, IntervalSums>): AuditRow =>
  wireOf(AuditRow, row, {
    posId: row.machine_id,
    currency: readingCurrency(row),
    interval: intervalOf(sums.get(row.id), seesBoxes(db, row.merchant_id)),
  })

const intervalOf = (sums: IntervalSums | undefined, hasBoxes: boolean) =>
  sums ? presentInterval(sums, hasBoxes) : null

export const auditHandlers: Handlers<typeof audits> = {
  listAudits: async ({ db, params, query }) => {
    const { rows, total, capped } = await listAudits(db, params.posId, query)
    const sums = await reconcileAudits(
      db,
      params.posId,
      rows.map(({ id }) => id),
    )
    return { items: rows.map((row) => presentAuditRow(db, row, sums)), total, capped }
  },

  getAudit: async ({ db, params }) => {
    const audit = await findAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const sums = await reconcileAudits(db, params.posId, [audit.id])
    const content = AuditContent.parse(audit.content)
    return {
      ...presentAuditRow(db, audit, sums),
      content: seesBoxes(db, audit.merchant_id) ? content : withoutBoxes(content),
    }
  },

  getRawAudit: async ({ db, params, reply }) => {
    const machine = await machineOf(db, params.posId)
    refuseBoxes(db, machine.merchant_id)
    const audit = await findRawAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const { day, time } = wallAt(audit.read_at, machine.time_zone)
    const name = `${audit.serial}-${day}T${time.replace(':', '')}.eva`
    return sendAttachment(reply, { name, type: 'application/octet-stream', content: audit.raw })
  },
}
