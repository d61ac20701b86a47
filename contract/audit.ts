import { z } from 'zod'
import { AuditContent } from './audit-content.ts'
import { endpoint } from './endpoint.ts'
import { AuditInterval } from './reconciliation.ts'
import { Instant, MinorUnits, paged, pageOf } from './shapes.ts'
import { AuditOrigin, AuditPort, CrcVerdict } from './vocabulary/audit.ts'
import { Currency } from './vocabulary/currencies.ts'

/** An audit in a list. Amounts are minor units of `currency`; null means that the file does not report it. */
export const AuditRow = z.strictObject({
  id: z.uuid(),
  posId: z.uuid(),
  merchantId: z.uuid(),
  readAt: Instant,
  machineTime: z.string().nullable(),
  origin: AuditOrigin,
  port: AuditPort,
  crc: CrcVerdict,
  size: z.int(),
  warnings: z.int(),
  currency: Currency,
  /** VA101: value of all paid vends since initialisation. */
  salesTotal: MinorUnits.nullable(),
  /** VA102: number of all paid vends since initialisation. */
  vendsTotal: z.int().nullable(),
  /** Sum of PA2 values. */
  selectionsTotal: MinorUnits.nullable(),
  /** What lies between it and the audit before; null for one that was stored before intervals were kept and has none yet. */
  interval: AuditInterval.nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

export const Audit = AuditRow.extend({ content: AuditContent })
export type Audit = z.infer<typeof Audit>

export const auditOrds = ['readAt', 'size', 'salesTotal'] as const

export const audits = {
  listAudits: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits',
    summary: 'Audits of a point of sale, page by page',
    needs: 'audit.read',
    query: z.strictObject(paged(auditOrds)),
    ok: pageOf(AuditRow),
    fails: ['MachineNotFound'],
  }),
  getAudit: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits/{auditId}',
    summary: 'One audit, read',
    needs: 'audit.read',
    ok: Audit,
    fails: ['MachineNotFound', 'AuditNotFound'],
  }),
  getRawAudit: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits/{auditId}/raw',
    summary: 'One audit, the very bytes that the machine sent',
    needs: 'audit.read',
    produces: 'application/octet-stream',
    fails: ['MachineNotFound', 'AuditNotFound'],
  }),
}
