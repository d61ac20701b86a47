import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'

/** A user's client on one persistent connection. */
export interface Client {
  /** Reads the whole answer of an endpoint. Throws unless it is a 200. */
  get(path: string): Promise<Buffer>
  json<T>(path: string): Promise<T>
  /** Sends a body and reads the JSON answer. Throws unless it is a success. */
  post<T>(path: string, body: unknown): Promise<T>
  close(): void
}

export interface Account {
  email: string
  password: string
}

/** Signs a user in on the embedded provider's page, as a browser does: authorization code with PKCE. Returns the access token. */
export async function signIn(origin: string, { email, password }: Account): Promise<string> {
  const cookies = new Map<string, string>()
  const send = async (address: string, form?: Record<string, string>) => {
    const response = await fetch(new URL(address, origin), {
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/json',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'sec-fetch-site': 'same-origin' }),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  /** Follows redirects until a page appears or the redirect leads back to the portal. */
  const follow = async (response: Response, at: string): Promise<string> => {
    const location = response.headers.get('location')
    if (!location) return at
    const next = new URL(location, origin)
    return next.pathname.startsWith('/identity') ? follow(await send(next.href), next.href) : next.href
  }
  const verifier = randomBytes(32).toString('base64url')
  const redirect = `${origin}/signed-in`
  const query = new URLSearchParams({
    client_id: 'gettone-portal',
    response_type: 'code',
    scope: 'openid profile email gettone.read',
    redirect_uri: redirect,
    state: randomBytes(8).toString('hex'),
    nonce: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const authorization = `${origin}/identity/auth?${query}`
  const page = await follow(await send(authorization), authorization)
  const done = await follow(await send(page, { email, password }), page)
  const code = new URL(done).searchParams.get('code')
  if (!code) throw new Error(`${email} could not sign in; the way ended at ${done}.`)
  const answer = await send('/identity/token', {
    grant_type: 'authorization_code',
    client_id: 'gettone-portal',
    code,
    code_verifier: verifier,
    redirect_uri: redirect,
  })
  const { access_token } = (await answer.json()) as { access_token?: string }
  if (!access_token) throw new Error(`No token for ${email}: ${answer.status}`)
  return access_token
}

/** A client of a signed-in user. Its token is valid for ten minutes, longer than one client's measurement. */
export async function openClient(origin: string, account: Account): Promise<Client> {
  const authorization = `Bearer ${await signIn(origin, account)}`
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (path: string) =>
    new Promise<Buffer>((resolve, reject) => {
      const outgoing = request(new URL(`/api/v1${path}`, origin), { agent, headers: { authorization } }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const body = Buffer.concat(chunks)
          if (answer.statusCode === 200) resolve(body)
          else reject(new Error(`${path} was answered by ${answer.statusCode}: ${body.toString().slice(0, 300)}`))
        })
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
  return {
    get,
    post: async (path, body) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(new URL(`/api/v1${path}`, origin), {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (!answer.ok)
        throw new Error(`${path} was answered by ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
      return answer.json()
    },
    json: async (path) => JSON.parse((await get(path)).toString()),
    close: () => agent.destroy(),
  }
}
