import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ErrorCode } from '#contract/errors.ts'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import type { LiveHint, LiveTopic } from '#contract/frame/live.ts'
import { addressOf } from './address.ts'
import { ApiError, type Problem } from './apiError.ts'
import { groupHeaders, groupsOf } from './groupSelection.ts'
import { report } from './reporting/report.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      topics?: readonly LiveTopic[]
      /** How often live hints refresh the answer at most, in milliseconds; by default the same for all answers. */
      liveEveryMs?: number
      /** Whether a hint of its topics changes this answer. */
      isTouched?: (hint: LiveHint, data: unknown) => boolean
    }
  }
}

/** Source of the access token. The session sets it once, at start. */
export interface TokenSource {
  /** The current access token, renewed when it is about to expire; undefined without a session. */
  token(): Promise<string | undefined> | string | undefined
  /** One silent renewal after the server refused the token; undefined if it failed and the session has ended. */
  renew(): Promise<string | undefined>
  /** The server refuses this user: a renewed token was refused too, or the user has no role here. */
  refused(failure: ApiError): void
}
let tokens: TokenSource = { token: () => undefined, renew: async () => undefined, refused: () => undefined }
/** The access token, for requests that are not sent by `fetch`. */
export const bearerToken = async () => tokens.token()
export const connectTokens = (source: TokenSource) => {
  tokens = source
}

const timeOutMs = { normal: 60_000, large: 120_000, stream: 0 }

const codeByStatus: Record<number, ErrorCode> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  502: 'ServiceUnavailable',
  503: 'ServiceUnavailable',
  504: 'ServiceUnavailable',
}

/** The failure that an answer says; `id`: that of its request. */
export async function failureOf({ response, id }: Sent): Promise<ApiError> {
  const problem: Problem = await response.json().catch(() => ({}))
  // The list of all codes would be a part of the first screen.
  const code = (problem.code as ErrorCode | undefined) ?? codeByStatus[response.status] ?? 'Internal'
  return new ApiError(code, response.status, problem, id)
}

/** The input of any endpoint. */
export type Input = {
  params?: unknown
  query?: unknown
  body?: unknown
  /** The request continues after the page is left; its body has a limit of 64 kB. */
  keepalive?: boolean
  /** Covers all groups, whatever groups the user has selected. */
  isWhole?: boolean
}

const tell = ({ path, method }: AnyEndpoint, { code, status, requestId }: ApiError) =>
  report({ kind: 'call', path, method, code, status, requestId })

/** An answer, and the id that the browser gave its request. Pages without TLS cannot make one: then the server does. */
interface Sent {
  response: Response
  id: string | undefined
}

async function send(
  row: AnyEndpoint,
  input: GroupedInput,
  signal: AbortSignal | undefined,
  token: string | undefined,
): Promise<Sent> {
  const limit = timeOutMs[row.timeOut]
  const timer = limit ? AbortSignal.timeout(limit) : undefined
  const signals = [signal, timer].filter((one) => one !== undefined)
  const headers: Record<string, string> = { accept: row.produces ?? 'application/json', ...groupHeaders(input.groups) }
  const id: string | undefined = crypto.randomUUID?.()
  if (id) headers['x-request-id'] = id
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (token) headers.authorization = `Bearer ${token}`
  const response = await fetch(addressOf(row.path, input), {
    method: row.method,
    headers,
    keepalive: input.keepalive,
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    signal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
  }).catch(lostOn(row, signal, id))
  return { response, id }
}

/** Detects a lost connection, before the answer or within it. */
const lostOn = (row: AnyEndpoint, signal: AbortSignal | undefined, id?: string) => (error: Error) => {
  // The caller aborted, or a complete answer is invalid.
  if (signal?.aborted || error.name === 'SyntaxError') throw error
  const failure = new ApiError(error.name === 'TimeoutError' ? 'TimedOut' : 'Unreachable', 0, {}, id)
  tell(row, failure)
  throw failure
}

/** The request, limited to the selected groups. */
type GroupedInput = Input & { groups: string }

/**
 * Sends the request and returns the raw answer; after a 401 it is repeated once with a renewed token. Throws ApiError
 * unless the answer is a success.
 */
export async function fetchRow(row: AnyEndpoint, callInput: Input, signal?: AbortSignal): Promise<Response> {
  const input: GroupedInput = { groups: groupsOf(row, callInput), ...callInput }
  const isOpen = row.needs === 'anyone'
  let sent = await send(row, input, signal, isOpen ? undefined : await tokens.token())
  if (sent.response.status === 401 && !isOpen) {
    const renewed = await tokens.renew()
    if (renewed) sent = await send(row, input, signal, renewed)
  }
  if (sent.response.ok) return sent.response
  const failure = await failureOf(sent)
  tell(row, failure)
  if (!isOpen && (failure.status === 401 || failure.code === 'UnauthorizedUserException')) tokens.refused(failure)
  throw failure
}

/** Calls any endpoint: for frames that receive their endpoint. Screens use `call`. */
export async function callRow(row: AnyEndpoint, input: Input, signal?: AbortSignal): Promise<unknown> {
  const response = await fetchRow(row, input, signal)
  return response.status === 204 || !row.ok ? undefined : response.json().catch(lostOn(row, signal))
}

/** Ignores the selected groups: the call names its own subject. */
interface Whole {
  isWhole?: boolean
}

type Args<E> =
  ClientInput<E> extends infer I
    ? Record<string, never> extends I
      ? [input?: I & Whole, signal?: AbortSignal]
      : [input: I & Whole, signal?: AbortSignal]
    : never

/** Calls an endpoint. Throws ApiError. */
export const call = <E extends AnyEndpoint>(row: E, ...[input, signal]: Args<E>): Promise<ResultOf<E>> =>
  callRow(row, (input ?? {}) as Input, signal) as Promise<ResultOf<E>>

/** The file name of an answer, in all its letters if it has others than ASCII's (RFC 6266). */
function fileNameIn(disposition: string): string | undefined {
  const [, coded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  return coded ? decodeURIComponent(coded) : /filename="?([^";]+)/.exec(disposition)?.[1]
}

/** Saves a streamed answer (a raw audit, an export) as a file, by the server's file name or this one. */
export async function download<E extends AnyEndpoint>(row: E, input: ClientInput<E>, fileName: string) {
  const response = await fetchRow(row, input as Input)
  const url = URL.createObjectURL(await response.blob().catch(lostOn(row, undefined)))
  const headerName = fileNameIn(response.headers.get('content-disposition') ?? '')
  const link = Object.assign(document.createElement('a'), { href: url, download: headerName ?? fileName })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The query key of an answer: path, path names, query, selected groups. Live hints and commands find queries by it. */
export type RowKey = readonly [
  path: string,
  params: Record<string, string>,
  query: Record<string, unknown>,
  groups: string,
]
export const keyOf = (row: { path: string }, input: Input = {}): RowKey => [
  row.path,
  (input.params ?? {}) as Record<string, string>,
  (input.query ?? {}) as Record<string, unknown>,
  groupsOf(row, input),
]

/** The parts of an endpoint's query, for queries that do not use `queryOf`. */
export const metaOf = ({ topics }: Pick<AnyEndpoint, 'topics'>) => ({ topics })

/** Query options of any GET endpoint, for frames that receive their endpoint. Screens use `queryOf`. */
export const rowQuery = (row: AnyEndpoint, input: Input) => {
  const queryKey = keyOf(row, input)
  // A later refetch uses the groups of its own key.
  const sent: GroupedInput = { ...input, groups: queryKey[3] }
  return queryOptions<unknown, ApiError, unknown, RowKey>({
    queryKey,
    meta: metaOf(row),
    queryFn: ({ signal }) => callRow(row, sent, signal),
  })
}

/** TanStack Query options of a GET endpoint: `useQuery(queryOf(machines.getMachine, { params }))`. */
export const queryOf = <E extends AnyEndpoint>(row: E, ...[input]: Args<E>) =>
  rowQuery(row, (input ?? {}) as Input) as ReturnType<typeof queryOptions<ResultOf<E>, ApiError, ResultOf<E>, RowKey>>

/** The same, showing the last answer while the next page or filter loads. */
export const pagedQueryOf = <E extends AnyEndpoint>(row: E, ...args: Args<E>) => ({
  ...queryOf(row, ...args),
  placeholderData: keepPreviousData as <T>(previous: T | undefined) => T | undefined,
})

export interface CommandOptions<E> {
  /** Key of the success message (`alarm:repaired`); without it there is no toast. */
  says?: string | ((result: ResultOf<E>) => { key: string; values?: Record<string, unknown> })
  onDone?: (result: ResultOf<E>, input: ClientInput<E>) => void
  /** True when the caller shows the error itself (a form at its fields). */
  isQuiet?: boolean
}

/** A change: sends it, shows the result in a toast, and refreshes the screen's queries. */
export function useCommand<E extends AnyEndpoint>(row: E, options: CommandOptions<E> = {}) {
  const client = useQueryClient()
  return useMutation<ResultOf<E>, ApiError, ClientInput<E> & Whole>({
    mutationKey: [row.path],
    mutationFn: (input) => callRow(row, input as Input) as Promise<ResultOf<E>>,
    onSuccess: async (result, input) => {
      const message = typeof options.says === 'function' ? options.says(result) : options.says && { key: options.says }
      if (message) toastOf('success', message.key, 'values' in message ? message.values : undefined)
      options.onDone?.(result, input)
      await client.invalidateQueries()
    },
    onError: (error) => {
      if (!options.isQuiet) toastOfError(error)
    },
  })
}

// Toasts load with the first one shown, never before the first paint.
const toasts = () => import('./toast/toast.tsx')
const toastOf = (kind: 'success', key: string, values?: Record<string, unknown>) =>
  void toasts().then(({ toast }) => toast[kind](key, values))
const toastOfError = (error: unknown) => void toasts().then(({ toast }) => toast.error(error))
