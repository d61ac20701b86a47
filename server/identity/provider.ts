import type { IncomingMessage, ServerResponse } from 'node:http'
import Provider, {
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { Doors } from '#database/frame/tenant.ts'
import type { Account } from '#database/people/identity.ts'
import { claimOfRole } from '#domain/people/role-claim.ts'
import { contextClasses, hasSecondFactor } from '#domain/people/second-factor.ts'
import { sessionIdClaim, validFromClaim } from '#domain/people/session-claim.ts'
import type { Accounts } from './accounts.ts'
import { postgresAdapter } from './adapter.ts'
import { type IdentityKeys, signingAlgorithm } from './keys.ts'
import type { Pages } from './pages.ts'
import type { Factors } from './second-factor/factors.ts'

/** The path of the provider below a public origin. */
export const identityPath = '/identity'

/** The portal's client id, its scopes, and the audience of its tokens. */
export interface PortalClient {
  clientId: string
  audience: string
  scope: string
}

const resource = 'urn:gettone:api'
const seconds = { accessToken: 600, idToken: 600, interaction: 3600, session: 12 * 3600, grant: 14 * 86_400 } as const
/** The password is required again after this time, even in an open portal. */
const longestSession = 14 * 86_400

export interface ProviderDeps {
  client: PortalClient
  doors: Pick<Doors, 'withSystem'>
  accounts: Accounts
  factors: Factors
  keys: IdentityKeys
  pages: Pages
  /** The address of a request's sender, as far as proxies are trusted. */
  addressOf: (request: IncomingMessage) => string
  /** Receives faults inside the provider. */
  onFault: (error: Error) => void
}

/** The cookie of a session. */
const cookieOf = (secure: boolean) => ({ httpOnly: true, sameSite: 'lax', path: identityPath, secure }) as const

/** The portal as a client of the provider. */
const portalAt = (origin: string, { clientId }: PortalClient): ClientMetadata => ({
  client_id: clientId,
  client_name: 'Gettone',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [`${origin}/signed-in`, `${origin}/session-frame.html`],
  post_logout_redirect_uris: [`${origin}/login`, `${origin}/session-frame.html`],
  id_token_signed_response_alg: signingAlgorithm,
  default_max_age: longestSession,
})

/** The API as the only resource, with its access tokens. */
const resourceOf = (client: PortalClient) => ({
  enabled: true,
  defaultResource: () => resource,
  useGrantedResource: () => true,
  getResourceServerInfo: (_ctx: unknown, indicator: string) => {
    if (indicator !== resource) throw new errors.InvalidTarget('unknown resource')
    return {
      scope: client.scope,
      audience: client.audience,
      accessTokenFormat: 'jwt' as const,
      accessTokenTTL: seconds.accessToken,
      jwt: { sign: { alg: signingAlgorithm } } as const,
    }
  },
})

/**
 * The embedded OpenID provider for one public origin. It shares its state and keys with the providers of other origins and
 * processes, so that any of them may answer.
 */
export function createProvider(origin: string, deps: ProviderDeps): Provider {
  const { accounts, client, factors, keys, pages } = deps
  const isSecure = origin.startsWith('https:')
  const configuration: Configuration = {
    adapter: postgresAdapter(deps.doors),
    clients: [portalAt(origin, client)],
    jwks: { keys: [...keys.signing] } as Configuration['jwks'],
    cookies: {
      names: { session: 'gettone_session', interaction: 'gettone_interaction', resume: 'gettone_resume' },
      long: cookieOf(isSecure),
      short: { httpOnly: true, sameSite: 'lax', secure: isSecure },
      keys: [...keys.cookies],
    },
    scopes: ['openid'],
    acrValues: Object.values(contextClasses),
    claims: { openid: ['sub', 'userRole', 'acr', 'amr', 'auth_time'], email: ['email'], profile: ['name', 'locale'] },
    // The portal reads the user from the ID token; there is no userinfo endpoint.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientBasedCORS: (_ctx, from) => from === origin,
    enabledJWA: { idTokenSigningAlgValues: [signingAlgorithm] },
    ttl: {
      AccessToken: seconds.accessToken,
      AuthorizationCode: 60,
      IdToken: seconds.idToken,
      Interaction: seconds.interaction,
      Session: seconds.session,
      Grant: seconds.grant,
    },
    findAccount: async (_ctx, subject) => {
      const account = await accounts.bySubject(subject)
      return account && { accountId: subject, userId: account.id, claims: async () => claimsOf(account, subject) }
    },
    extraTokenClaims: async (ctx, token) => {
      const account = 'accountId' in token ? await accounts.bySubject(token.accountId) : undefined
      if (!account) return undefined
      const { AuthorizationCode: code } = ctx.oidc.entities
      return {
        userRole: claimOfRole(account.role),
        acr: code?.acr,
        amr: code?.amr,
        auth_time: code?.authTime,
        [validFromClaim]: account.sessionsValidFrom?.getTime() ?? 0,
        [sessionIdClaim]: await accounts.sessionUsed({
          providerUid: ('sessionUid' in token && token.sessionUid) || '',
          userId: account.id,
          address: deps.addressOf(ctx.req),
          userAgent: ctx.req.headers['user-agent'] ?? '',
          now: new Date(),
        }),
      }
    },
    loadExistingGrant: (ctx) => grantToPortal(ctx, client.scope),
    interactions: { url: (_ctx, { uid }) => `${identityPath}/interaction/${uid}`, policy: policy(factors) },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: resourceOf(client),
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          // Another site may redirect here with an ID token of its own account. Only the session's own token ends it
          // without a question.
          const { session, entities } = ctx.oidc
          const isOwn = entities.IdTokenHint !== undefined && entities.IdTokenHint.payload.sub === session?.accountId
          ctx.body = pages.signOut(ctx.req, form, isOwn)
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = pages.signedOut(ctx.req)
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.type = 'html'
      ctx.body = pages.fault(ctx.req, out.error_description ?? out.error)
    },
  }
  const provider = new Provider(`${origin}${identityPath}`, configuration)
  // provider-routes.ts sets the header with the browser's scheme.
  provider.proxy = true
  provider.on('end_session.success', (ctx) => {
    const uid = ctx.oidc.session?.uid
    if (uid && ctx.oidc.params?.logout) accounts.signedOut(uid).catch(deps.onFault)
  })
  provider.on('grant.revoked', (ctx, grantId) => {
    // At the endpoint of tokens a code or refresh token came twice. A sign-out that the user declines revokes the grant too, and keeps the session.
    if (ctx.oidc.route === 'token') accounts.grantRevoked(client.clientId, grantId).catch(deps.onFault)
  })
  provider.on('server_error', (_ctx, error) => deps.onFault(error))
  return provider
}

const claimsOf = (account: Account, subject: string) => ({
  sub: subject,
  userRole: claimOfRole(account.role),
  email: account.email,
  name: account.name,
  locale: account.language ?? undefined,
})

/** The portal is our own, so it needs no consent: the first sign-in grants all its scopes. */
async function grantToPortal(ctx: KoaContextWithOIDC, scope: string) {
  const { client, session, provider, account } = ctx.oidc
  if (!client || !session || !account) return undefined
  const grantId = session.grantIdFor(client.clientId)
  const granted = grantId ? await provider.Grant.find(grantId) : undefined
  if (granted) return granted
  const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
  grant.addOIDCScope('openid email profile')
  grant.addResourceScope(resource, scope)
  await grant.save()
  return grant
}

/**
 * Sign-in is the only prompt. A user who was suspended meanwhile must sign in again, and so must a user whose session lacks a
 * second factor that was required when it began.
 */
function policy(factors: Factors) {
  const prompts = interactionPolicy.base()
  prompts.remove('consent')
  const isGone = new interactionPolicy.Check(
    'account_gone',
    'the account is not there any more',
    'login_required',
    (ctx) => Boolean(ctx.oidc.session?.accountId && !ctx.oidc.account),
  )
  prompts.get('login')?.checks.add(isGone)
  const isTooWeak = new interactionPolicy.Check(
    'second_factor',
    'a second factor is required',
    'login_required',
    async ({ oidc: { session, account } }) => {
      // Cast: the account is what findAccount above has returned.
      const userId = (account as { userId?: string } | undefined)?.userId
      if (!session?.accountId || !userId) return false
      const at = new Date((session.loginTs ?? 0) * 1000)
      return factors.isSessionTooWeak(userId, { at, hasSecondFactor: hasSecondFactor({ amr: session.amr }, []) })
    },
  )
  prompts.get('login')?.checks.add(isTooWeak)
  return prompts
}

/** The user's session at the provider, outside of a sign-in. */
export const sessionOf = (provider: Provider, request: IncomingMessage, response: ServerResponse) =>
  provider.Session.get(provider.createContext(request, response))

/**
 * Begins a session at the provider in this browser, in place of any other; returns its cookies. Called right after the user has proved who they are.
 */
export async function beginSession(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { subject, amr, acr }: { subject: string; amr: readonly string[]; acr: string },
): Promise<string[]> {
  const context = provider.createContext(request, response)
  const before = await provider.Session.get(context)
  if (before.accountId) await before.destroy()
  // A new id, so that no other site can have placed it in this browser before.
  const session = new provider.Session()
  session.loginAccount({ accountId: subject, amr: [...amr], acr })
  await session.save(seconds.session)
  context.cookies.set(provider.cookieName('session'), session.jti, {
    ...cookieOf(context.secure),
    signed: true,
    overwrite: true,
    expires: new Date(session.exp * 1000),
  })
  const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
  response.removeHeader('set-cookie')
  return cookies
}
