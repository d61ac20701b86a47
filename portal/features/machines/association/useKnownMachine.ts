import { useQuery } from '@tanstack/react-query'
import { machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'

/** Polling interval for an expected machine, beside the live hints. */
const lookMs = 3_000

/** The machine of a merchant with a serial, hidden or not, once it exists. */
export function useKnownMachine(merchantId: string, serial: string | undefined, isAwaited = false) {
  const { data } = useQuery({
    ...queryOf(machines.listMachines, {
      params: { merchantId },
      query: { serial: serial ?? '', hidden: 'all', size: 1 },
      isWhole: true,
    }),
    enabled: serial !== undefined,
    ...(isAwaited && { refetchInterval: lookMs }),
  })
  return serial === undefined ? undefined : data?.items[0]
}
