import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AnyEndpoint, ResultOf } from '#contract/frame/endpoint.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rowQuery } from '#portal/app/api.ts'
import type { ApiError } from '#portal/app/apiError.ts'

/** The record of the address, for any selected merchant. Its page and its tabs share the answer. */
export function useRecord<E extends AnyEndpoint>(get: E, param: string) {
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>
  const path = { merchantId: params.merchantId ?? allMerchants, [param]: params[param] }
  return useQuery(rowQuery(get, { params: path })) as UseQueryResult<ResultOf<E>, ApiError>
}
