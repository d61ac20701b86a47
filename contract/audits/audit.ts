import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { type ExportedList, noFilters } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, MinorUnits, paged, pageOf } from '../frame/shapes.ts'
import { AuditOrigin, AuditPort, CrcVerdict } from '../vocabulary/audit.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { AuditContent } from './audit-content.ts'
import { AuditInterval } from './reconciliation.ts'

/**
 * An audit in a list. Totals are minor units of `currency`: the file's own, else the merchant's; null where the file names an
 * unknown currency, without totals. Amounts of the interval are in `merchantCurrency`, as sales are. A null
 * amount means that the file does not report it.
 */
export const AuditRow = z.strictObject({
  id: z.uuid(),
  posId: z.uuid(),
  merchantId: z.uuid(),
  readAt: Instant,
  machineTime: z.string().nullable(),
  origin: AuditOrigin,
  /** The origin in the words of a modem; null if it sent a number. */
  originWord: z.string().nullable(),
  port: AuditPort,
  crc: CrcVerdict,
  size: z.int(),
  warnings: z.int(),
  currency: Currency.nullable(),
  merchantCurrency: Currency,
  /** Value of all paid vends since initialisation: VA1, or else the sum of selections, payments or price lists. */
  salesTotal: MinorUnits.nullable(),
  /** Number of all paid vends since initialisation. */
  vendsTotal: z.int().nullable(),
  /** Sum of PA2 values, or of PA7 values where PA2 is missing. */
  selectionsTotal: MinorUnits.nullable(),
  /** The interval since the previous audit; null for audits stored before intervals existed. */
  interval: AuditInterval.nullable(),
})
export type AuditRow = z.infer<typeof AuditRow>

export const Audit = AuditRow.extend({ content: AuditContent })
export type Audit = z.infer<typeof Audit>

export const auditColumns = {
  readAt: { kind: 'instant', as: 'minute', heading: 'audit:column.readAt' },
  state: { kind: 'own', heading: 'reconciliation:column.state' },
  audited: { sort: false, kind: 'amount', heading: 'reconciliation:column.audited', only: 'screen' },
  transmitted: { sort: false, kind: 'amount', heading: 'reconciliation:column.transmitted', only: 'screen' },
  difference: { sort: false, kind: 'amount', heading: 'reconciliation:column.difference', only: 'screen' },
  origin: { kind: 'word', heading: 'audit:column.origin', of: 'auditOrigin' },
  originWord: { kind: 'text', heading: 'audit:column.originWord', only: 'file' },
  port: { kind: 'word', heading: 'audit:column.port', of: 'auditPort' },
  crc: { kind: 'status', heading: 'audit:column.crc', of: 'crc' },
  warnings: { kind: 'number', heading: 'audit:column.warnings' },
  salesTotal: { kind: 'amount', heading: 'audit:column.salesTotal' },
  vendsTotal: { kind: 'number', heading: 'audit:column.vendsTotal' },
  selectionsTotal: { kind: 'amount', heading: 'audit:column.selectionsTotal' },
  machineTime: { kind: 'text', heading: 'audit:column.machineTime' },
  size: { kind: 'number', unit: 'bytes', heading: 'audit:column.size' },
  id: { kind: 'plain', heading: 'export:column.id', only: 'file' },
} as const satisfies ListColumns

export const auditOrds = ordsOf(auditColumns, 'readAt')

export const audits = {
  listAudits: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits',
    summary: 'List audits of a point of sale',
    needs: 'audit.read',
    topics: ['audit'],
    query: z.strictObject(paged(auditOrds)),
    ok: pageOf(AuditRow),
    fails: ['MachineNotFound'],
  }),
  getAudit: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits/{auditId}',
    summary: 'Get an audit',
    needs: 'audit.read',
    topics: ['audit'],
    ok: Audit,
    fails: ['MachineNotFound', 'AuditNotFound'],
  }),
  getRawAudit: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits/{auditId}/raw',
    summary: 'Download the original bytes of an audit',
    needs: 'audit.read',
    finds: ['posId', 'auditId'],
    topics: ['audit'],
    produces: 'application/octet-stream',
    fails: ['MachineNotFound', 'AuditNotFound', 'CountedBlind'],
  }),
}

/** The list as a file. */
export const exportedAudits = {
  row: audits.listAudits,
  filters: noFilters,
  ords: auditOrds,
  columns: auditColumns,
} as const satisfies ExportedList
