import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { call, queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '../../value/option.ts'
import type { Filter } from '../types.ts'

/** Most records offered at once, the first by name. */
const mostOffered = 500
const mostFound = 100
const fresh = 5 * 60_000

interface Named {
  id: string
  name: string
  merchantName: string
}
interface NamedPage {
  items: readonly Named[]
  total: number
}
/** Rows of records by name: their list, and one of them by its id. */
interface Rows {
  list: AnyEndpoint
  get: AnyEndpoint
  param: string
}

/**
 * A filter by one record of a list, or by any of several. Records beyond the offered ones are found by name.
 * `isEnabled` is false for users who may not see the records.
 */
export function useRecordFilter(
  { list, get, param }: Rows,
  filter: Pick<Filter, 'key' | 'kind' | 'name'>,
  isEnabled = true,
): Filter {
  const { key, kind, name } = filter
  const { id: merchantId, isAll } = useMerchant()
  // Cast: the compiler cannot infer their row type from their names.
  const pageOf = (query: object) => ({ params: { merchantId }, query: { ord: 'name', ...query } }) as never
  const { data } = useQuery({
    ...queryOf(list, pageOf({ size: mostOffered })),
    staleTime: fresh,
    enabled: isEnabled,
  })
  const first = data as NamedPage | undefined
  return useMemo((): Filter => {
    const optionOf = ({ id, name: recordName, merchantName }: Named): Option => ({
      value: id,
      label: isAll ? `${recordName} · ${merchantName}` : recordName,
    })
    const find: Filter['find'] = async (request) => {
      const params = { merchantId }
      if ('search' in request) {
        const query = { ...request, size: mostFound, ord: 'name' }
        // Cast: the row is one of several; all take these parameters.
        const answer = (await call(list, { params, query } as never)) as NamedPage
        return answer.items.map(optionOf)
      }
      // A deleted record is shown by its id, as in the link.
      const named = await Promise.allSettled(
        // Cast: the same.
        request.ids.map((id) => call(get, { params: { ...params, [param]: id } } as never) as Promise<Named>),
      )
      return named.flatMap((one) => (one.status === 'fulfilled' ? [optionOf(one.value)] : []))
    }
    const options = first?.items.map(optionOf)
    const isMore = first !== undefined && first.total > first.items.length
    return { key, kind, name, ...(options && { options }), ...(isMore && { find }) }
  }, [list, get, param, key, kind, name, first, merchantId, isAll])
}
