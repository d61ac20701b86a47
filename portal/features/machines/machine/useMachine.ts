import { useQuery } from '@tanstack/react-query'
import { machines } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'

/** A machine by its id, whatever merchant is selected. Its page and its tabs share the answer. */
export const useMachine = (posId: string) =>
  useQuery(queryOf(machines.getMachine, { params: { merchantId: allMerchants, posId } }))
