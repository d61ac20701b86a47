import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { callRow, rowQuery } from '#portal/app/api.ts'
import { groupsOf } from '#portal/app/groupSelection.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Option } from '../../value/option.ts'
import { offered } from '../../value/useTyped.ts'
import type { Filter } from '../types.ts'

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
 * A filter by one record of a list, or by any of several, found by name. Without any record it has no options.
 * `isEnabled` is false for users who may not see the records.
 */
export function useRecordFilter(
  { list, get, param }: Rows,
  filter: Pick<Filter, 'key' | 'kind' | 'name'>,
  isEnabled = true,
): Filter {
  const { key, kind, name } = filter
  const { id: merchantId, isAll } = useMerchant()
  const scope = groupsOf(list)
  const { data } = useQuery({
    ...rowQuery(list, { params: { merchantId }, query: { size: 1 } }),
    staleTime: fresh,
    enabled: isEnabled,
  })
  const isNone = (data as NamedPage | undefined)?.total === 0
  return useMemo((): Filter => {
    const optionOf = ({ id, name: recordName, merchantName }: Named): Option => ({
      value: id,
      label: isAll ? `${recordName} · ${merchantName}` : recordName,
    })
    const find: Filter['find'] = async (request) => {
      const params = { merchantId }
      if (!('ids' in request)) {
        const query = { ...request, size: offered, ord: 'name' }
        const { items, total } = (await callRow(list, { params, query })) as NamedPage
        return { options: items.map(optionOf), total }
      }
      // A deleted record is shown by its id, as in the link.
      const named = await Promise.allSettled(
        request.ids.map((id) => callRow(get, { params: { ...params, [param]: id } }) as Promise<Named>),
      )
      const options = named.flatMap((one) => (one.status === 'fulfilled' ? [optionOf(one.value)] : []))
      return { options, total: options.length }
    }
    return { key, kind, name, ...(isNone ? { options: [] } : { find, scope }) }
  }, [list, get, param, key, kind, name, isNone, merchantId, isAll, scope])
}
