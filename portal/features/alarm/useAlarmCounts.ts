import { useQuery } from '@tanstack/react-query'
import { alarms } from '#contract/alarm.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { queryOf } from '../../app/api.ts'
import { openStatuses } from './alarmFilters.ts'

const open = { statuses: [...openStatuses], page: 1, size: 1 }
const blocking = { ...open, criticities: [alarmCriticities.blocking] }

/** How many blocking alarms are open at the merchant. */
export function useBlockingCount(merchantId: string): number | undefined {
  return useQuery(queryOf(alarms.listAlarms, { params: { merchantId }, query: blocking })).data?.total
}

/** How many alarms are open, and how many of them block; of a machine when one is given. */
export function useAlarmCounts(merchantId: string, posId?: string): { open?: number; blocking?: number } {
  const optionsOf = (query: typeof open) =>
    posId
      ? queryOf(alarms.listMachineAlarms, { params: { merchantId, posId }, query })
      : queryOf(alarms.listAlarms, { params: { merchantId }, query })
  const all = useQuery(optionsOf(open))
  const stopping = useQuery(optionsOf(blocking))
  return { open: all.data?.total, blocking: stopping.data?.total }
}
