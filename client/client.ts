import { type Calls, changes, paths } from './api.gen.ts'
import { errorOf } from './error.ts'

export interface ClientOptions {
  /** The address of the portal, such as `https://portal.example.com`. */
  url: string
  /** An API token of one merchant. */
  token: string
  /** Attempts after the first one, for answers 429 and 5xx and lost connections; 2 by default. */
  retries?: number
  /** Another `fetch`, for proxies and tests. */
  fetch?: typeof fetch
}

type Name = keyof Calls
type Input<N extends Name> = { params: Calls[N]['params']; signal?: AbortSignal } & (Partial<
  Calls[N]['query']
> extends Calls[N]['query']
  ? { query?: Calls[N]['query'] }
  : { query: Calls[N]['query'] }) &
  (Calls[N]['body'] extends undefined ? { body?: undefined } : { body: Calls[N]['body'] })

/** Calls whose answer is a page of a list. */
type ListName = { [N in Name]: Calls[N]['answer'] extends { items: unknown[] } ? N : never }[Name]
type ItemOf<N extends ListName> = Calls[N]['answer'] extends { items: (infer Item)[] } ? Item : never

export interface Client {
  /** Calls the API. Throws GettoneError when the call is refused. */
  call<N extends Name>(name: N, input: Input<N>): Promise<Calls[N]['answer']>
  /** Every item of a list, page by page; the next page is read when the items of the one before are used up. */
  each<N extends ListName>(name: N, input: Input<N>): AsyncGenerator<ItemOf<N>, void, undefined>
}

type Given = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
}

/** The most items of a page. */
const pageSize = 500

function addressOf(url: string, path: string, { params = {}, query = {} }: Given): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const address = new URL(`${url.replace(/\/+$/, '')}/api/v1${filled}`)
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value])
      address.searchParams.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return address
}

const wait = (millis: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, millis)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** A read is repeated after 429 and 5xx; a change after 429 alone, since it may have been made. */
const isWorthAnother = (status: number, isRead: boolean) => status === 429 || (isRead && status >= 500)

/** What is sent beside the address. */
function requestOf(name: Name, { body }: Given): { method: string; headers: Record<string, string>; body?: BodyInit } {
  const { method = 'GET', takes } = changes[name] ?? {}
  if (body === undefined) return { method, headers: {} }
  if (takes) return { method, headers: { 'content-type': takes }, body: body as Uint8Array<ArrayBuffer> }
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** A client of the API for one API token. Reads are repeated when an answer is 429 or 5xx, changes when it is 429. */
export function createClient({ url, token, retries = 2, fetch: send = fetch }: ClientOptions): Client {
  async function answerTo(address: URL, request: ReturnType<typeof requestOf>, signal: AbortSignal | undefined) {
    const isRead = request.method === 'GET'
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      let pause = 500 * 2 ** attempt
      try {
        const answer = await send(address, { ...request, headers, ...(signal && { signal }) })
        if (answer.ok) return answer
        const error = await errorOf(answer)
        if (isLast || !isWorthAnother(answer.status, isRead)) throw error
        if (error.retryAfter !== undefined) pause = error.retryAfter * 1000
      } catch (error) {
        // `fetch` throws a TypeError when the connection fails.
        if (isLast || !isRead || !(error instanceof TypeError)) throw error
      }
      await wait(pause, signal)
    }
  }

  async function call(name: Name, input: Given): Promise<unknown> {
    const answer = await answerTo(addressOf(url, paths[name], input), requestOf(name, input), input.signal)
    if (answer.status === 204) return undefined
    const isJson = answer.headers.get('content-type')?.includes('json')
    return isJson ? answer.json() : new Uint8Array(await answer.arrayBuffer())
  }

  async function* each(name: ListName, { query = {}, ...input }: Given): AsyncGenerator<unknown, void, undefined> {
    const size = Number(query.size ?? pageSize)
    let cursor: string | undefined
    for (let page = 1; ; page++) {
      // A list without an end has cursors, with which each page costs the same.
      const place = cursor === undefined ? { page } : { cursor }
      const answer = (await call(name, { ...input, query: { ...query, size, ...place } })) as {
        items: unknown[]
        next?: string | null
      }
      yield* answer.items
      cursor = answer.next ?? undefined
      if (answer.items.length < size) return
    }
  }

  // Cast: the types of a call follow from its name, which the functions above do not know.
  return { call, each } as unknown as Client
}
