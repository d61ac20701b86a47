import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { rounds } from '#contract/stock/round.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { isId, manyOf } from '#portal/app/search.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import type { Filter } from '../types.ts'

/** A filter by the technicians of a link, such as a report's, with the names that the reader may see, or else `one`. None without a link. */
export function useTechnicianFilter(key: string, name: string, one: string): Filter[] {
  const { id: merchantId } = useMerchant()
  const mayList = useMay(rounds.listRoundAssignees)
  const ids = manyOf(useAddressQuery(), key).filter(isId)
  const { data } = useQuery({
    ...queryOf(rounds.listRoundAssignees, { params: { merchantId } }),
    enabled: ids.length > 0 && mayList,
  })
  const text = JSON.stringify(ids)
  return useMemo(() => {
    const names = new Map(data?.map((user) => [user.id, user.name]))
    const options = (JSON.parse(text) as string[]).map((id) => ({ value: id, label: names.get(id) ?? one }))
    return options.length > 0 ? [{ key, kind: 'multi' as const, name, options }] : []
  }, [key, name, one, text, data])
}
