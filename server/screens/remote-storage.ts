import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AuthType, createClient } from 'webdav'
import type { CopyFault, StorageProtocol } from '#contract/configurations/screen-storage.ts'
import { withoutTrailing } from '#domain/frame/trailing.ts'
import { AddressRefusedError, agentsFor } from '../network/public-address.ts'

/** How long a storage may be silent. */
const patienceMs = 15_000

/** A storage refused a file, or gave no usable answer. It holds nothing of the request, which has the password. */
export class StorageError extends Error {
  readonly fault: CopyFault
  constructor(fault: CopyFault) {
    super(fault)
    this.name = 'StorageError'
    this.fault = fault
  }
}

export interface RemoteStorage {
  /** Writes a file of a known size, in place of an earlier one. Throws StorageError. */
  put(name: string, content: Readable, bytes: number): Promise<void>
  /** The size of a file; undefined when there is none. Throws StorageError. */
  size(name: string): Promise<number | undefined>
  /** The bytes from `start` to `end` of a file, both included; the stream fails when the storage does. */
  part(name: string, start: number, end: number): Readable
}

const faultOfStatus = (status: number): CopyFault => {
  if (status === 401 || status === 403) return 'RepositoryAuthenticationFailed'
  if (status >= 300 && status < 400) return 'RepositoryRedirects'
  return status >= 500 && status !== 507 ? 'RepositoryNotReachable' : 'RepositoryRefusesFiles'
}

const errorOf = (error: unknown): StorageError => {
  if (error instanceof StorageError) return error
  for (let at = error as { cause?: unknown } | undefined; at; at = at.cause as typeof at)
    if (at instanceof AddressRefusedError)
      return new StorageError(at.reason === 'private' ? 'RepositoryAddressRefused' : 'RepositoryRedirects')
  const { status } = error as { status?: number }
  return new StorageError(status === undefined ? 'RepositoryNotReachable' : faultOfStatus(status))
}

/**
 * A merchant's storage through the guard of addresses that users choose: only its own host is called, with `isPublicOnly` only over https and
 * with a public address, and a redirect of plain HTTPS is not followed.
 */
export function openRemoteStorage(
  access: { url: string; username: string; password: string; protocol: StorageProtocol },
  { isPublicOnly }: { isPublicOnly: boolean },
): RemoteStorage & { close(): void } {
  const { protocol, hostname } = new URL(access.url)
  if (isPublicOnly && protocol !== 'https:') throw new StorageError('RepositoryAddressRefused')
  const agents = agentsFor(hostname, isPublicOnly)
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => Promise.reject(errorOf(error)))
  const remote = access.protocol === 'webdav' ? webDav(access, agents) : plain(access, agents)
  return {
    put: (name, content, bytes) => guarded(() => remote.put(name, content, bytes)),
    size: (name) => guarded(() => remote.size(name)),
    part: remote.part,
    close() {
      agents.httpAgent.destroy()
      agents.httpsAgent.destroy()
    },
  }
}

type Agents = ReturnType<typeof agentsFor>
type Access = { url: string; username: string; password: string }

/** WebDAV, with Basic or Digest sign-in as the storage requires. */
function webDav({ url, username, password }: Access, agents: Agents): RemoteStorage {
  const client = createClient(url, { username, password, authType: AuthType.Auto, ...agents })
  const soon = () => AbortSignal.timeout(patienceMs)
  const size = async (name: string) => {
    try {
      const stat = await client.stat(`/${name}`, { signal: soon() })
      return ('data' in stat ? stat.data : stat).size
    } catch (error) {
      if ((error as { status?: number }).status === 404) return undefined
      throw error
    }
  }
  return {
    size,
    async put(name, content, bytes) {
      // Digest answers a first request without a sign-in, and a body is sent once.
      await size(name)
      const isDone = await client.putFileContents(`/${name}`, content, { contentLength: bytes, overwrite: true })
      if (!isDone) throw new StorageError('RepositoryRefusesFiles')
    },
    part(name, start, end) {
      const out = new PassThrough()
      const fetched = async () => {
        const answer = await client.customRequest(`/${name}`, {
          method: 'GET',
          headers: { Range: `bytes=${start}-${end}` },
        })
        if (answer.status !== 206 && !(answer.status === 200 && start === 0))
          throw new StorageError(faultOfStatus(answer.status))
        // The stream of the answer's type is the browser's; Node's client has its own.
        if (!('body' in answer && answer.body instanceof Readable)) throw new Error('The answer has no content.')
        await pipeline(answer.body, out)
      }
      fetched().catch((error: Error) => out.destroy(error))
      return out
    },
  }
}

/** A server that keeps files by PUT and gives them by GET. */
function plain({ url, username, password }: Access, agents: Agents): RemoteStorage {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const call = (method: string, name: string, headers: OutgoingHttpHeaders = {}, body?: Readable) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const to = new URL(`${withoutTrailing(url, '/')}/${name}`)
      const isTls = to.protocol === 'https:'
      const request = (isTls ? httpsRequest : httpRequest)(
        to,
        {
          method,
          agent: isTls ? agents.httpsAgent : agents.httpAgent,
          headers: { authorization, 'user-agent': 'Gettone', ...headers },
          timeout: patienceMs,
        },
        resolve,
      )
      request.on('timeout', () => request.destroy(new StorageError('RepositoryNotReachable')))
      request.on('error', reject)
      if (body) pipeline(body, request).catch(reject)
      else request.end()
    })
  const drop = (answer: IncomingMessage) => {
    answer.resume()
    return answer.statusCode ?? 0
  }
  const isFine = (status: number) => status >= 200 && status < 300
  return {
    async size(name) {
      const answer = await call('HEAD', name)
      const status = drop(answer)
      if (status === 404) return undefined
      if (!isFine(status)) throw new StorageError(faultOfStatus(status))
      const length = answer.headers['content-length']
      return length === undefined ? undefined : Number(length)
    },
    async put(name, content, bytes) {
      const status = drop(
        await call('PUT', name, { 'content-length': bytes, 'content-type': 'application/octet-stream' }, content),
      )
      if (!isFine(status)) throw new StorageError(faultOfStatus(status))
    },
    part(name, start, end) {
      const out = new PassThrough()
      const fetched = async () => {
        const answer = await call('GET', name, { range: `bytes=${start}-${end}` })
        // A server without ranges would send the file from its start.
        if (answer.statusCode !== 206 && !(answer.statusCode === 200 && start === 0)) {
          drop(answer)
          throw new StorageError(faultOfStatus(answer.statusCode ?? 0))
        }
        await pipeline(answer, out)
      }
      fetched().catch((error: Error) => out.destroy(error))
      return out
    },
  }
}
