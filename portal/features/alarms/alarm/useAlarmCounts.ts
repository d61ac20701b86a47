import { useQuery } from '@tanstack/react-query'
import { alarms } from '#contract/alarms/alarm.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { queryOf } from '#portal/app/api.ts'
import { openStatuses } from './alarmFilters.ts'

const open = { statuses: [...openStatuses], page: 1, size: 1 }
const blocking = { ...open, criticities: [alarmCriticities.blocking] }

/** The number of open blocking alarms of the merchant. */
export function useBlockingCount(merchantId: string): number | undefined {
  return useQuery(queryOf(alarms.listAlarms, { params: { merchantId }, query: blocking })).data?.total
}

/** The number of open alarms and of blocking ones; of a machine or a client if given. */
export function useAlarmCounts(
  merchantId: string,
  { posId, clientId }: { posId?: string | undefined; clientId?: string | undefined },
): { open?: number; blocking?: number } {
  const optionsOf = (query: typeof open) =>
    posId
      ? queryOf(alarms.listMachineAlarms, { params: { merchantId, posId }, query })
      : queryOf(alarms.listAlarms, {
          params: { merchantId },
          query: clientId ? { ...query, clientIds: [clientId] } : query,
        })
  const all = useQuery(optionsOf(open))
  const stopping = useQuery(optionsOf(blocking))
  return { open: all.data?.total, blocking: stopping.data?.total }
}
