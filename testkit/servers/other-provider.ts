import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { aFreePort } from '../browser/portal.ts'

export interface OtherProvider {
  issuer: string
  /** The portal's configuration. */
  environment: Record<string, string>
  /** The `userRole` claim of its users, by the name they sign in with. */
  claims: Map<string, string>
  /** The access token of the user with this name, fetched as by a browser. */
  signIn(name: string): Promise<string>
}

const scope = 'vending.access'
const audience = 'https://api.vending.example'

/**
 * An external OpenID provider on another site, as different as allowed: it signs with RS256, types access tokens JWT,
 * uses other names for client, scope and audience, gives roles as a list of tenants, and issues refresh tokens for
 * `offline_access`. Users sign in with only a name.
 */
export async function anotherProvider(portalUrl: string, scopes = scope): Promise<OtherProvider> {
  const port = await aFreePort()
  const issuer = `http://127.0.0.1:${port}/realms/vending`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const claims = new Map<string, string>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'vending-spa',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${portalUrl}/signed-in`, `${portalUrl}/session-frame.html`],
        post_logout_redirect_uris: [`${portalUrl}/login`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] } as never,
    cookies: { keys: ['of the other provider'] },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'userRole'], email: ['email'], profile: ['name'] },
    clientBasedCORS: (_ctx, origin) => origin === portalUrl,
    issueRefreshToken: async (_ctx, _client, source) => source.scopes.has('offline_access'),
    findAccount: async (_ctx, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, userRole: claims.get(sub), email: `${sub}@other.test`, name: sub }),
    }),
    extraTokenClaims: async (_ctx, token) => ({ userRole: claims.get((token as { accountId: string }).accountId) }),
    // Entra and Keycloak do not use the type at+jwt.
    formats: {
      customizers: {
        jwt: async (_ctx, _token, jwt) => {
          jwt.header = { ...jwt.header, typ: 'JWT' }
        },
      },
    },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.account?.accountId,
      } as never)
      grant.addOIDCScope('openid profile email offline_access')
      grant.addResourceScope(audience, scope)
      await grant.save()
      return grant
    },
    interactions: { url: (_ctx, { uid }) => `/realms/vending/enter/${uid}` },
    ttl: { AccessToken: 600, IdToken: 600, Interaction: 600, Session: 3600, Grant: 3600, RefreshToken: 3600 },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope,
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Leave the other provider</button>`
        },
      },
    },
  })

  const { pathname: realm } = new URL(issuer)
  const server = createServer(async (request, response) => {
    // Such as a browser's request for an icon: the provider knows its own paths only.
    if (!request.url?.startsWith(`${realm}/`)) return response.writeHead(404).end()
    const path = request.url.slice(realm.length)
    if (!path.startsWith('/enter/')) {
      Object.assign(request, { url: path, originalUrl: request.url })
      return provider.callback()(request, response)
    }
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      return response.end('<form method="post"><label>Name <input name="name"></label><button>Enter</button></form>')
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('name') ?? ''
    return provider.interactionFinished(request, response, { login: { accountId } }, { mergeWithLastSubmission: false })
  }).listen(port, '127.0.0.1')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  return {
    issuer,
    claims,
    signIn: (name) => tokenAt(issuer, `${portalUrl}/signed-in`, name),
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'vending-spa',
      OIDC_AUDIENCE: audience,
      OIDC_SCOPE: scopes,
      OIDC_TOKEN_TYPE: 'JWT',
      OIDC_ALGORITHMS: 'RS256',
      OIDC_CHANGE_PASSWORD_URL: `${issuer}/password`,
      TENANT: 'MILAN',
    },
  }
}

/** Signs in as a browser does, with cookies and redirects, and exchanges the code. */
async function tokenAt(issuer: string, redirectUri: string, name: string): Promise<string> {
  const cookies = new Map<string, string>()
  const verifier = randomBytes(32).toString('base64url')
  const ask = async (url: string, form?: Record<string, string>) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    return answer
  }
  const follow = async (answer: Response): Promise<string> => {
    const to = new URL(answer.headers.get('location') ?? '', issuer).href
    return to.startsWith(issuer) && !to.includes('/enter/') ? follow(await ask(to)) : to
  }
  const query = new URLSearchParams({
    client_id: 'vending-spa',
    response_type: 'code',
    scope: `openid ${scope}`,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const form = await follow(await ask(`${issuer}/auth?${query}`))
  const back = new URL(await follow(await ask(form, { name })))
  const tokens = await ask(`${issuer}/token`, {
    grant_type: 'authorization_code',
    client_id: 'vending-spa',
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
  const { access_token } = (await tokens.json()) as { access_token?: string }
  if (!access_token) throw new Error(`No token: ${back}`)
  return access_token
}
