import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AnyEndpoint, ResultOf } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'

/** The record of the address, whatever merchant is selected. Its page and its tabs share the answer. */
export function useRecord<E extends AnyEndpoint>(get: E, param: string) {
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>
  const path = { merchantId: params.merchantId ?? allMerchants, [param]: params[param] }
  // Which path names it takes, the compiler cannot follow through a name.
  const query = queryOf as unknown as (row: E, input: object) => UseQueryOptions<ResultOf<E>>
  return useQuery(query(get, { params: path }))
}
