import { AuditRow, type audits } from '#contract/audits/audit.ts'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { ProductError } from '#contract/errors.ts'
import { findAudit, findRawAudit, listAudits, readingCurrency } from '#database/audits/audit.ts'
import { type IntervalSums, reconcileAudits } from '#database/audits/reconciliation.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import { sendAttachment } from '#server/http/attachment.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { presentInterval } from './reconciliation.ts'

type Listed = Awaited<ReturnType<typeof listAudits>>['rows'][number]

export const presentAuditRow = (row: Listed, sums: ReadonlyMap<string, IntervalSums>): AuditRow =>
  wireOf(AuditRow, row, {
    posId: row.machine_id,
    currency: readingCurrency(row),
    interval: intervalOf(sums.get(row.id)),
  })

const intervalOf = (sums: IntervalSums | undefined) => (sums ? presentInterval(sums) : null)

export const auditHandlers: Handlers<typeof audits> = {
  listAudits: async ({ db, params, query }) => {
    const { rows, total, capped } = await listAudits(db, params.posId, query)
    const sums = await reconcileAudits(
      db,
      params.posId,
      rows.map(({ id }) => id),
    )
    return { items: rows.map((row) => presentAuditRow(row, sums)), total, capped }
  },

  getAudit: async ({ db, params }) => {
    const audit = await findAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const sums = await reconcileAudits(db, params.posId, [audit.id])
    return { ...presentAuditRow(audit, sums), content: AuditContent.parse(audit.content) }
  },

  getRawAudit: async ({ db, params, reply }) => {
    const machine = await machineOf(db, params.posId)
    const audit = await findRawAudit(db, params.posId, params.auditId)
    if (!audit) throw new ProductError('AuditNotFound')
    const { day, time } = wallAt(audit.read_at, machine.time_zone)
    const name = `${audit.serial}-${day}T${time.replace(':', '')}.eva`
    return sendAttachment(reply, { name, type: 'application/octet-stream', content: audit.raw })
  },
}
