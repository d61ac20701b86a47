import { useQuery } from '@tanstack/react-query'
import { transactions } from '#contract/sales/transaction.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { StatsQuery } from './useStatsState.ts'

const listIn = (value: StatsQuery[string]) => (typeof value === 'string' ? [value] : value)

/** The day on which the data of the chosen machines begin: null without data, undefined until it is known. */
export function useFirstDay(query: StatsQuery): string | null | undefined {
  const { id: merchantId } = useMerchant()
  const { posIds, groupIds, clientIds } = query
  const machineFilter = { posIds: listIn(posIds), groupIds: listIn(groupIds), clientIds: listIn(clientIds) }
  return useQuery(queryOf(transactions.dataBegins, { params: { merchantId }, query: machineFilter })).data?.firstDay
}
