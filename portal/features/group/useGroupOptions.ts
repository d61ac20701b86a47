import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groups } from '#contract/group.ts'
import { queryOf } from '../../app/api.ts'
import { useMerchant, useMerchants } from '../../app/merchant.tsx'
import type { Option } from '../../ui/list/types.ts'

const fresh = 5 * 60_000

/** The groups a list can be filtered by; under "all distributors" each says whose it is. */
export function useGroupOptions(): Option[] {
  const merchant = useMerchant()
  const merchants = useMerchants()
  const { data } = useQuery({
    ...queryOf(groups.listGroups, { params: { merchantId: merchant.id } }),
    staleTime: fresh,
  })
  return useMemo(() => {
    const owner = (id: string) => merchants.find((one) => one.id === id)?.name
    return (data ?? []).map(({ id, name, merchantId }) => ({
      value: id,
      label: merchant.isAll ? `${name} · ${owner(merchantId) ?? ''}` : name,
    }))
  }, [data, merchant.isAll, merchants])
}
