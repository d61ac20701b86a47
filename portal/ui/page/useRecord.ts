import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AnyEndpoint, ResultOf } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'

/** The record of the address, for any selected merchant. Its page and its tabs share the answer. */
export function useRecord<E extends AnyEndpoint>(get: E, param: string) {
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>
  const path = { merchantId: params.merchantId ?? allMerchants, [param]: params[param] }
  // The compiler cannot infer its path names from a name.
  // Cast: the row is a type parameter; its input is checked where the hook is called.
  const query = queryOf as unknown as (row: E, input: object) => UseQueryOptions<ResultOf<E>>
  return useQuery(query(get, { params: path }))
}
