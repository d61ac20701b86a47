import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts'
import type { SpaConfiguration } from '#contract/platform/spa-configuration.ts'
import { claimNamed, isCustomerClaim, roleFromClaim } from '#domain/people/role-claim.ts'
import { SignInFault, type SignInProvider, type Tokens } from './signIn.ts'

/** Provider errors that require user interaction (OpenID Connect Core, 3.1.2.6). */
const interactionErrors = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required']

/** Classifies the errors of oidc-client-ts. */
function faultOf(error: unknown): SignInFault {
  if (error instanceof SignInFault) return error
  if (error instanceof ErrorResponse) {
    const code = error.error ?? 'refused'
    return new SignInFault(interactionErrors.includes(code) ? 'interactionRequired' : 'refused', code)
  }
  const text = error instanceof Error ? error.message : String(error)
  // A frame without an answer, and what fetch throws when there is no network.
  if (error instanceof ErrorTimeout || error instanceof TypeError) return new SignInFault('transient', text)
  return new SignInFault('refused', text)
}

const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error)
  }
}

/** Claims of a JWT, for reading only; the server verifies it. */
function claimsOf(token: string): Record<string, unknown> {
  try {
    const [, body = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(body.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The claim is in the ID token; providers that map roles to the API alone have it in the access token. */
function tokensOf(user: User | null, { tenant, roleClaim, clientId, loginAuthority }: SpaConfiguration): Tokens {
  if (!user) throw new SignInFault('refused', 'the provider gave no tokens')
  const { iss, aud } = claimsOf(user.id_token ?? '')
  if (iss !== loginAuthority || ![aud].flat().includes(clientId)) throw new SignInFault('refused', 'foreign ID token')
  const claim = claimNamed(user.profile, roleClaim) ?? claimNamed(claimsOf(user.access_token), roleClaim)
  return {
    accessToken: user.access_token,
    expiresAt: (user.expires_at ?? 0) * 1000,
    subject: user.profile.sub,
    role: roleFromClaim(claim, tenant),
    isCustomer: isCustomerClaim(claim, tenant),
  }
}

/** How long a popup may stay open. */
const popupPatienceMs = 5 * 60_000

interface ReturnState {
  returnTo: string
}

/**
 * The identity provider of the configuration, through oidc-client-ts: authorization code with PKCE; tokens in memory, only the
 * state of a sign-in under way in the tab's storage.
 */
export function openProvider(configuration: SpaConfiguration, languageOf: () => string | undefined): SignInProvider {
  const { origin } = window.location
  const frame = `${origin}/session-frame.html`
  const isSameSite = new URL(configuration.loginAuthority).hostname === window.location.hostname
  const manager = new UserManager({
    authority: configuration.loginAuthority,
    client_id: configuration.clientId,
    scope: `openid profile email ${configuration.apiReadScope}`,
    resource: configuration.apiResource ?? undefined,
    response_type: 'code',
    redirect_uri: `${origin}/signed-in`,
    silent_redirect_uri: frame,
    popup_redirect_uri: frame,
    post_logout_redirect_uri: `${origin}/login`,
    popup_post_logout_redirect_uri: frame,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
    // The session renews tokens itself, since it decides what follows a failure.
    automaticSilentRenew: false,
    monitorSession: false,
    loadUserInfo: false,
    validateSubOnSilentRenew: false,
    silentRequestTimeoutInSeconds: 10,
    includeIdTokenInSilentSignout: true,
  })
  let completed: ReturnType<SignInProvider['complete']> | undefined
  const speaking = () => ({ ui_locales: languageOf() })
  /** Binds the ID token to this sign-in; the library compares it. */
  const bound = () => ({ nonce: crypto.getRandomValues(new Uint32Array(4)).join('-') })
  /** Metadata that was put in place of the provider's would send the code elsewhere. */
  const ready = async () => {
    if ((await manager.metadataService.getIssuer()) !== configuration.loginAuthority)
      throw new SignInFault('refused', 'foreign metadata')
  }

  return {
    isSameSite,
    silent: () =>
      attempt(async () => {
        await ready()
        return tokensOf(await manager.signinSilent(bound()), configuration)
      }),
    popup: () =>
      attempt(async () => {
        await ready()
        return tokensOf(
          await manager.signinPopup({
            ...speaking(),
            ...bound(),
            // A provider that isolates its windows looks closed here.
            popupAbortOnClose: isSameSite,
            popupSignal: AbortSignal.timeout(popupPatienceMs),
          }),
          configuration,
        )
      }),
    redirect: ({ returnTo, isSilent }) =>
      attempt(async () => {
        await ready()
        await manager.signinRedirect({
          ...speaking(),
          ...bound(),
          state: { returnTo } satisfies ReturnState,
          ...(isSilent && { prompt: 'none' }),
        })
      }),
    // The code works once: the page's first code has begun, and the session takes that over.
    complete: (url) => {
      completed ??= attempt(async () => {
        await ready()
        const user = await manager.signinRedirectCallback(url)
        const { returnTo } = (user.state ?? {}) as Partial<ReturnState>
        return { tokens: tokensOf(user, configuration), returnTo: returnTo ?? '/dashboard' }
      })
      return completed
    },
    signOut: () =>
      attempt(() =>
        isSameSite ? manager.signoutSilent({ silentRequestTimeoutInSeconds: 4 }) : manager.signoutRedirect(),
      ),
    forget: () => manager.removeUser(),
  }
}
