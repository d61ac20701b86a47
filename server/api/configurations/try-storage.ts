import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { AuthType, createClient } from 'webdav'
import type { StorageFault, StorageProtocol } from '#contract/configurations/screen-storage.ts'
import { AddressRefusedError, agentsFor } from '#server/network/public-address.ts'

/** How long a storage may take to answer each of two requests. */
const patienceMs = 8_000

export interface StorageAccess {
  url: string
  username: string
  password: string
}
type Tried = { protocol: StorageProtocol } | { fault: StorageFault }

const faultOf = (error: unknown): StorageFault => {
  for (let at = error as { cause?: unknown } | undefined; at; at = at.cause as typeof at)
    if (at instanceof AddressRefusedError)
      return at.reason === 'private' ? 'RepositoryAddressRefused' : 'RepositoryRedirects'
  // node-fetch keeps the connection's error as text only.
  const text = String((error as Error | undefined)?.message)
  if (text.includes('Connection refused: private')) return 'RepositoryAddressRefused'
  if (text.includes('Connection refused: other host')) return 'RepositoryRedirects'
  return 'RepositoryNotReachable'
}

interface Plain {
  status: number
  isHtml: boolean
  isDigest: boolean
}

/** A GET with the password, which follows no redirect and reads no body. */
const plainGet = ({ url, username, password }: StorageAccess, agents: ReturnType<typeof agentsFor>): Promise<Plain> =>
  new Promise((resolve, reject) => {
    const isTls = url.startsWith('https:')
    const request = (isTls ? httpsRequest : httpRequest)(
      url,
      {
        agent: isTls ? agents.httpsAgent : agents.httpAgent,
        headers: {
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
          'user-agent': 'Gettone',
        },
        signal: AbortSignal.timeout(patienceMs),
      },
      (answer: IncomingMessage) => {
        resolve({
          status: answer.statusCode ?? 0,
          isHtml: /^(text\/html|application\/xhtml)/i.test(answer.headers['content-type'] ?? ''),
          isDigest: /^digest/i.test(String(answer.headers['www-authenticate'] ?? '')),
        })
        answer.destroy()
      },
    )
    request.on('error', reject)
    request.end()
  })

const isDenied = (status: number) => status === 401 || status === 403

/**
 * Signs in to a storage: WebDAV, else plain HTTPS. With `isPublicOnly` only https to public addresses is tried. A redirect is not
 * followed, and an HTML page is no storage.
 */
export async function tryStorage(access: StorageAccess, { isPublicOnly }: { isPublicOnly: boolean }): Promise<Tried> {
  const { protocol, hostname } = new URL(access.url)
  if (isPublicOnly && protocol !== 'https:') return { fault: 'RepositoryAddressRefused' }
  const agents = agentsFor(hostname, isPublicOnly)
  try {
    const plain = await plainGet(access, agents)
    if (plain.status >= 300 && plain.status < 400) return { fault: 'RepositoryRedirects' }
    if (plain.status === 401 && !plain.isDigest) return { fault: 'RepositoryAuthenticationFailed' }
    const dav = await tryWebDav(access, agents, plain.isDigest)
    if (dav === 'yes') return { protocol: 'webdav' }
    if (dav === 'denied' || isDenied(plain.status)) return { fault: 'RepositoryAuthenticationFailed' }
    if (plain.status >= 500) return { fault: 'RepositoryNotReachable' }
    const isFile = plain.status >= 200 && plain.status < 300 && !plain.isHtml
    return isFile ? { protocol: 'https' } : { fault: 'RepositoryNoStorage' }
  } catch (error) {
    return { fault: faultOf(error) }
  } finally {
    agents.httpAgent.destroy()
    agents.httpsAgent.destroy()
  }
}

/** Lists the folder. Throws where no answer arrives. */
async function tryWebDav(
  { url, username, password }: StorageAccess,
  agents: ReturnType<typeof agentsFor>,
  isDigest: boolean,
): Promise<'yes' | 'no' | 'denied'> {
  const client = createClient(url, {
    username,
    password,
    authType: isDigest ? AuthType.Digest : AuthType.Password,
    ...agents,
  })
  try {
    await client.getDirectoryContents('/', { signal: AbortSignal.timeout(patienceMs) })
    return 'yes'
  } catch (error) {
    const { status } = error as { status?: number }
    if (status !== undefined) return isDenied(status) ? 'denied' : 'no'
    // The answer was no list of files.
    if (error instanceof Error && /multistatus|Invalid response/i.test(error.message)) return 'no'
    throw error
  }
}
