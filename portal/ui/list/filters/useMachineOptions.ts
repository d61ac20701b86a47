import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { machines } from '#contract/machines/machine.ts'
import { call } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '../../value/option.ts'

/** Above this number, machines are found by the search field and not by a list. */
const most = 500
const fresh = 5 * 60_000

/**
 * The machines offered as a filter, by name; those at a client if given. Their names do not follow the live hints of
 * every sale.
 */
export function useMachineOptions(clientId?: string): Option[] {
  const { id: merchantId, isAll } = useMerchant()
  const { data } = useQuery({
    queryKey: ['machineNames', merchantId, clientId],
    queryFn: ({ signal }) =>
      call(
        machines.listMachines,
        { params: { merchantId }, query: { page: 1, size: most, ord: 'name', ordType: 'ASC', clientId } },
        signal,
      ),
    staleTime: fresh,
  })
  return useMemo(
    () =>
      (data?.items ?? []).map(({ id, name, merchantName }) => ({
        value: id,
        label: isAll ? `${name} · ${merchantName}` : name,
      })),
    [data, isAll],
  )
}
