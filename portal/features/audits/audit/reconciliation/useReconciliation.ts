import { useQuery } from '@tanstack/react-query'
import { reconciliations } from '#contract/audits/reconciliation.ts'
import { queryOf } from '#portal/app/api.ts'

export interface AuditPlace {
  merchantId: string
  posId: string
  auditId: string
}

/** An audit's counts since the previous one, and whether they match the transactions received until now. */
export const useReconciliation = (params: AuditPlace) =>
  useQuery(queryOf(reconciliations.getAuditReconciliation, { params }))
