import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import { addressOf } from '#portal/app/address.ts'
import { ApiError, type FailureCode, type Problem } from '#portal/app/apiError.ts'
import { isPreview } from './place.ts'
import { isOwn } from './queryClient.ts'

/** The customer's session, as calls need it. */
interface TokenSource {
  /** @throws ApiError `Unauthorized` without a session, `Unreachable` if it cannot be renewed now */
  token(): Promise<string>
  /** A new token after the server refused the present one. */
  renew(): Promise<string | undefined>
}
let tokens: TokenSource

export const connectTokens = (source: TokenSource) => {
  tokens = source
}

const timeOutMs = 30_000

const codeByStatus: Record<number, FailureCode> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  502: 'ServiceUnavailable',
  503: 'ServiceUnavailable',
  504: 'ServiceUnavailable',
}

async function failureOf({ response, id }: Sent): Promise<ApiError> {
  const problem: Problem = await response.json().catch(() => ({}))
  const code = (problem.code as FailureCode | undefined) ?? codeByStatus[response.status] ?? 'Internal'
  return new ApiError(code, response.status, problem, id)
}

type Input = { params?: unknown; query?: unknown; body?: unknown }

/** An answer, and the id that the browser gave its request. */
interface Sent {
  response: Response
  id: string | undefined
}

async function send(
  row: AnyEndpoint,
  input: Input,
  signal: AbortSignal | undefined,
  token: string | undefined,
): Promise<Sent> {
  const signals = [signal, AbortSignal.timeout(timeOutMs)].filter((one) => one !== undefined)
  const id: string | undefined = crypto.randomUUID?.()
  const response = await fetch(addressOf(row.path, input), {
    method: row.method,
    headers: {
      accept: 'application/json',
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
      ...(id && { 'x-request-id': id }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    signal: AbortSignal.any(signals),
  }).catch((error: Error) => {
    if (signal?.aborted) throw error
    throw new ApiError(error.name === 'TimeoutError' ? 'TimedOut' : 'Unreachable', 0, {}, id)
  })
  return { response, id }
}

async function fetchRow(row: AnyEndpoint, input: Input, signal?: AbortSignal): Promise<Response> {
  const isOpen = row.needs === 'anyone'
  let sent = await send(row, input, signal, isOpen ? undefined : await tokens.token())
  if (sent.response.status === 401 && !isOpen) {
    const renewed = await tokens.renew()
    if (renewed) sent = await send(row, input, signal, renewed)
  }
  if (sent.response.ok) return sent.response
  throw await failureOf(sent)
}

type Args<E> = ClientInput<E> extends infer I ? (Record<string, never> extends I ? [input?: I] : [input: I]) : never

async function callRow(row: AnyEndpoint, input: Input, signal?: AbortSignal): Promise<unknown> {
  const response = await fetchRow(row, input, signal)
  return response.status === 204 ? undefined : response.json()
}

/** Calls an endpoint. Throws ApiError. */
export const call = <E extends AnyEndpoint>(row: E, ...[input]: Args<E>): Promise<ResultOf<E>> =>
  callRow(row, (input ?? {}) as Input) as Promise<ResultOf<E>>

/** Saves an answer as a file. */
export async function download<E extends AnyEndpoint>(row: E, fileName: string, ...[input]: Args<E>) {
  const response = await fetchRow(row, (input ?? {}) as Input)
  saveAs(await response.blob(), fileName)
}

export function saveAs(file: Blob, fileName: string) {
  const url = URL.createObjectURL(file)
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Query options of a GET endpoint. */
export function queryOf<E extends AnyEndpoint>(row: E, ...[input]: Args<E>) {
  const sent = (input ?? {}) as Input
  return queryOptions<ResultOf<E>, ApiError>({
    queryKey: [isOwn(row) ? 'own' : 'public', row.path, sent.params ?? {}, sent.query ?? {}],
    queryFn: async ({ signal }) => {
      const preview = isPreview ? (await import('./preview.ts')).previewOf(row.path, sent.query) : undefined
      return (preview ?? callRow(row, sent, signal)) as Promise<ResultOf<E>>
    },
  })
}

/** The answer of a GET endpoint: what was seen before, until a newer answer arrives. */
export const useAnswer = <E extends AnyEndpoint>(row: E, ...args: Args<E>) => useQuery(queryOf(row, ...args))

/** The same, showing the last answer while the next one loads. */
export const usePaged = <E extends AnyEndpoint>(row: E, ...args: Args<E>) =>
  useQuery({ ...queryOf(row, ...args), placeholderData: keepPreviousData })

/** A change: sends it, and refreshes what is shown. */
export function useCommand<E extends AnyEndpoint>(row: E, options: { onDone?: (result: ResultOf<E>) => unknown } = {}) {
  const client = useQueryClient()
  return useMutation<ResultOf<E>, ApiError, ClientInput<E>>({
    mutationFn: (input) => callRow(row, input as Input) as Promise<ResultOf<E>>,
    onSuccess: async (result) => {
      await options.onDone?.(result)
      await client.invalidateQueries()
    },
  })
}
