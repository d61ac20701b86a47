/** How a call to a payment provider failed: it refused the call, or gave no usable answer. */
export class ProviderError extends Error {
  readonly kind: 'refused' | 'unreachable'
  readonly status: number | undefined
  constructor(kind: ProviderError['kind'], status?: number, options?: ErrorOptions) {
    super(status === undefined ? kind : `${kind} ${status}`, options)
    this.name = 'ProviderError'
    this.kind = kind
    this.status = status
  }
}

const timeoutMillis = 10_000
const mostBytes = 256 * 1024

export interface ProviderCall {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  /** Sent as it is. */
  body?: string
}

/** The body, unless it is too long. */
async function bodyOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > mostBytes) throw new ProviderError('unreachable', answer.status)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/**
 * Calls a payment provider and returns its JSON. Redirects are not followed, and an answer takes at most ten seconds. Throws ProviderError,
 * which holds nothing of the request or the answer: both may contain credentials.
 */
export async function callProvider(url: URL, { method, headers = {}, body }: ProviderCall): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      ...{ method, redirect: 'error', signal: AbortSignal.timeout(timeoutMillis) },
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await bodyOf(answer)
    if (answer.status >= 500 || answer.status === 429) throw new ProviderError('unreachable', answer.status)
    if (!answer.ok) throw new ProviderError('refused', answer.status)
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const code = (error as { cause?: { code?: unknown } }).cause?.code
    throw new ProviderError('unreachable', undefined, typeof code === 'string' ? { cause: code } : undefined)
  }
}

/** The address of a path below the root of a provider's API. */
export const below = (root: string, path: string) => new URL(root.replace(/\/+$/, '') + path)
