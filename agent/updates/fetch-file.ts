import { setTimeout as pause } from 'node:timers/promises'
import type { SignedFile } from '#contract/commands/command-parameters.ts'
import type { Access } from '../portal/link.ts'

/** The file cannot be fetched; the text says why. */
export class FetchError extends Error {}

/** After a failure it is tried again so many times, until something arrives. */
const tries = 12
const pauses = { first: 500, longest: 60_000 }
/** A connection on which nothing arrives for so long is given up. */
const silentMs = 60_000

export interface Fetching {
  signal: AbortSignal
  progress(percent: number): void
  /** Milliseconds before the first repetition; they double. */
  firstPause?: number
}

/** Requests something with the agent's secret: from its own portal alone, and without following redirects. */
export async function fetchFromPortal(
  address: string | URL,
  { portal, serial, secret }: Access,
  { headers = {}, signal }: { headers?: Record<string, string>; signal: AbortSignal },
): Promise<Response> {
  const url = URL.parse(address.toString())
  if (url?.origin !== new URL(portal).origin) throw new FetchError('The file is not at the portal')
  const authorization = `Basic ${Buffer.from(`${serial}:${secret}`).toString('base64')}`
  return fetch(url, { headers: { ...headers, authorization }, signal, redirect: 'error' })
}

/** Fetches a file, and continues where a connection was cut. Throws FetchError. */
export async function fetchFile(
  { url, bytes, sha256 }: Pick<SignedFile, 'url' | 'bytes' | 'sha256'>,
  access: Access,
  { signal, progress, firstPause = pauses.first }: Fetching,
): Promise<Uint8Array> {
  const content = new Uint8Array(bytes)
  let have = 0
  let failures = 0
  let told = -10
  const tell = () => {
    const percent = Math.floor((have * 100) / bytes)
    if (percent < 100 && percent < told + 10) return
    told = percent
    progress(percent)
  }

  /** Returns how many seconds the portal asks to wait. */
  async function fetchRest(): Promise<number> {
    const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-`, 'if-range': `"${sha256}"` } : {}
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), silentMs)
    try {
      const response = await fetchFromPortal(url, access, {
        headers,
        signal: AbortSignal.any([signal, silence.signal]),
      })
      if (response.status === 200) have = 0
      else if (response.status === 429 || response.status >= 500)
        return Number(response.headers.get('retry-after')) || 0
      else if (response.status !== 206) throw new FetchError(`The portal answers ${response.status}`)
      for await (const piece of response.body ?? []) {
        timer.refresh()
        if (have + piece.length > bytes) throw new FetchError('The file is larger than its command says')
        content.set(piece, have)
        have += piece.length
        failures = 0
        tell()
      }
      return 0
    } finally {
      clearTimeout(timer)
    }
  }

  tell()
  while (have < bytes) {
    let seconds = 0
    try {
      seconds = await fetchRest()
    } catch (error) {
      if (error instanceof FetchError) throw error
      signal.throwIfAborted()
    }
    if (have >= bytes) break
    if (++failures > tries) throw new FetchError('The file cannot be fetched')
    const wait = Math.min(pauses.longest, firstPause * 2 ** (failures - 1))
    await pause(Math.max(wait, seconds * 1000), undefined, { signal })
  }
  return content
}
