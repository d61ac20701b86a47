import { useQuery } from '@tanstack/react-query'
import { reconciliations } from '#contract/audits/reconciliation.ts'
import { queryOf } from '#portal/app/api.ts'

export interface AuditPlace {
  merchantId: string
  posId: string
  auditId: string
}

/** What an audit counted since the one before, and whether it agrees with what arrived until now. */
export const useReconciliation = (params: AuditPlace) =>
  useQuery(queryOf(reconciliations.getAuditReconciliation, { params }))
