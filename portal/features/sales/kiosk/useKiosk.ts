import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import { kioskPrefix, kiosks } from '#contract/sales/kiosk.ts'
import { addressOf } from '#portal/app/address.ts'
import { failureOf, keyOf, type RowKey } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'

/*
 * The calls of a wall display: with the secret of its link in place of a user's token. Each is repeated for as long as the page is open, with
 * and without a connection, and the last answer stays.
 */

/** How often a display refreshes. */
const everyMs = 10_000
/** How often it checks whether a link that has ended is valid again, such as after the merchant's portal switch. */
const endedEveryMs = 10 * 60_000
const patienceMs = 20_000
/** Without an answer for this long, what is shown counts as old. */
export const oldAfterMs = 45_000

/** The secret in the fragment of a display's address; undefined: the address has none. */
export const secretIn = (hash: string): string | undefined =>
  hash.startsWith(`#${kioskPrefix}`) ? hash.slice(1) : undefined

/** The secret of the display in view. */
export const SecretContext = createContext('')

const endings = ['KioskEnded', 'DemoExpired', 'WebPortalNotIncluded'] as const
type Ending = (typeof endings)[number]
/** Why a link has ended; undefined: the error is another one. */
export const endingOf = (error: unknown): Ending | undefined =>
  error instanceof ApiError ? endings.find((code) => code === error.code) : undefined

async function send(
  row: AnyEndpoint,
  query: object | undefined,
  secret: string,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await fetch(addressOf(row.path, { query }), {
    headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  }).catch(() => {
    throw new ApiError('Unreachable')
  })
  if (!answer.ok) throw await failureOf({ response: answer, id: undefined })
  return answer.json().catch(() => {
    throw new ApiError('Unreachable')
  })
}

/** Query options of a display's row, with its refresh. */
export const kioskQuery = <E extends AnyEndpoint>(
  row: E,
  secret: string,
  query?: ClientInput<E> extends { query?: infer Q } ? Q : never,
) =>
  ({
    queryKey: keyOf(row, { query }),
    // Cast: the row's schema says what its answer is.
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      send(row, query as object | undefined, secret, signal) as Promise<ResultOf<E>>,
    refetchInterval: ({ state }) => (endingOf(state.error) ? endedEveryMs : everyMs),
    refetchIntervalInBackground: true,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData as <T>(previous: T | undefined) => T | undefined,
  }) satisfies UseQueryOptions<ResultOf<E>, ApiError, ResultOf<E>, RowKey>

/** What the display says of itself. */
export const useKiosk = () => useQuery(kioskQuery(kiosks.getKiosk, use(SecretContext)))
