import { createHash, randomBytes } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import type { customerSessions, SignedInCustomer } from '#contract/key-portal/customer-session.ts'
import { longestPassword } from '#contract/rules/password.ts'
import {
  accountByEmail,
  accountOfProvenEmail,
  endCustomerSession,
  openCustomerSession,
  renewCustomerSession,
  saveCustomerLink,
  useCustomerLink,
  wholeOf,
} from '#database/key-portal/customer-account.ts'
import { sendSignInLink, signInLink } from '#server/customers/letter.ts'
import { accessSeconds } from '#server/customers/tokens.ts'
import type { Call, Handlers } from '#server/http/handler.ts'
import { publicOriginOf } from '#server/http/origin.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { mayGuess, wasRight } from '#server/identity/attempts.ts'
import { isPassword } from '#server/identity/password.ts'
import { isSameOrigin } from '#server/identity/security.ts'
import { portalOf } from './portal.ts'

const linkMillis = 30 * 60_000
/** Further links of an hour are not sent; the answer stays the same. */
const linksPerHour = 5
/** A browser that was away so long signs in again. */
const sessionMillis = 60 * 86_400_000

type OnPortal = Call & { params: { portalSlug: string } }

export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url')
const newToken = () => randomBytes(32).toString('base64url')

/** The portal of a call; one without media for customers only informs, and has no accounts. */
async function portalWithMedia(call: OnPortal) {
  const { merchantId, settings, services } = await portalOf(call, call.params.portalSlug)
  if (!services.media) throw new ProductError('PortalNotFound')
  return { merchantId, slug: settings.slug, name: settings.name }
}
type Place = Awaited<ReturnType<typeof portalWithMedia>>

const cookieName = 'gettone_customer'
const uuidLength = 36

/** The refresh token in the browser's cookie. */
function cookieOf({ request }: Call): { sessionId: string; hash: string } | undefined {
  const pattern = new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f-]{${uuidLength}})\\.([\\w-]{43})(?:;|$)`)
  const [, sessionId, token] = pattern.exec(request.headers.cookie ?? '') ?? []
  return sessionId && token ? { sessionId, hash: hashOfToken(token) } : undefined
}

/** Only the calls about sessions of this portal receive the cookie. An empty value deletes it. */
function setCookie(call: OnPortal, value: string): void {
  const secure = publicOriginOf(call.config, call.request).startsWith('https:') ? '; Secure' : ''
  const age = value === '' ? 0 : sessionMillis / 1000
  const path = `${apiPrefix}/customer/session/${call.params.portalSlug}`
  call.reply.header(
    'set-cookie',
    `${cookieName}=${value}; Path=${path}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** Another site may send a form with the cookie; it may not start, renew or end a session. */
function refuseOtherSites({ config, request }: Call): void {
  if (!isSameOrigin(request.raw, publicOriginOf(config, request))) throw new ProductError('Forbidden')
}

async function signedIn(
  { customerTokens }: Call,
  token: { merchantId: string; customerId: string; sessionId: string },
  isNew: boolean,
): Promise<SignedInCustomer> {
  return { accessToken: await customerTokens.sign(token), expiresInSeconds: accessSeconds, isNew }
}

/** Opens a session in this browser, in place of an earlier one. */
async function start(
  call: OnPortal,
  { merchantId }: Place,
  { customerId, isByLink, isNew }: { customerId: string; isByLink: boolean; isNew: boolean },
): Promise<SignedInCustomer> {
  const { doors, now, request } = call
  const refresh = newToken()
  const expiresAt = new Date(now.getTime() + sessionMillis)
  const earlier = cookieOf(call)
  const sessionId = await doors.withTenant(wholeOf(merchantId), async (db) => {
    if (earlier) await endCustomerSession(db, merchantId, earlier.sessionId, earlier.hash)
    return openCustomerSession(db, { merchantId, customerId, hash: hashOfToken(refresh), isByLink, now, expiresAt })
  })
  setCookie(call, `${sessionId}.${refresh}`)
  request.log.info({ caller: customerId, address: request.ip, isByLink }, 'A customer signed in')
  return signedIn(call, { merchantId, customerId, sessionId }, isNew)
}

/** Of the part before the @, which a customer changes in the profile. */
const nameOf = (email: string) => email.split('@')[0] || email

/** How end customers sign in. */
export const customerSessionHandlers: Handlers<typeof customerSessions> = {
  requestSignInLink: async (call) => {
    const { doors, body, now, config, request, mail } = call
    const { merchantId, slug, name: merchant } = await portalWithMedia(call)
    const token = newToken()
    const email = body.email.toLowerCase()
    const isSaved = await doors.withTenant(wholeOf(merchantId), (db) =>
      saveCustomerLink(db, {
        merchantId,
        hash: hashOfToken(token),
        email,
        name: body.name ?? null,
        language: body.language,
        now,
        expiresAt: new Date(now.getTime() + linkMillis),
        mostPerHour: linksPerHour,
      }),
    )
    if (!isSaved) return undefined
    const href = signInLink(publicOriginOf(config, request), slug, token)
    // The mail server's delay and its refusal say nothing about an address.
    sendSignInLink(mail, { to: body.email, language: body.language, merchant, href }).catch((error: unknown) =>
      request.log.error({ err: error }, 'A sign-in link could not be sent'),
    )
    return undefined
  },

  signInByLink: async (call) => {
    const { doors, body, now } = call
    refuseOtherSites(call)
    const portal = await portalWithMedia(call)
    const { merchantId } = portal
    const account = await doors.withTenant(wholeOf(merchantId), async (db) => {
      const link = await useCustomerLink(db, merchantId, hashOfToken(body.token), now)
      return link && accountOfProvenEmail(db, merchantId, { ...link, name: link.name ?? nameOf(link.email) }, now)
    })
    if (!account) throw new ProductError('SignInLinkEnded')
    return start(call, portal, { ...account, isByLink: true })
  },

  signInByPassword: async (call) => {
    const { doors, body, now, request } = call
    refuseOtherSites(call)
    const portal = await portalWithMedia(call)
    const { merchantId } = portal
    const guess = { email: `${merchantId} ${body.email}`, address: request.ip, now }
    const place = await doors.withSystem('identity', (db) => mayGuess(db, guess))
    if (!place) throw new ProductError('TooManyRequests')
    const account = await doors.withTenant(
      wholeOf(merchantId),
      (db) => accountByEmail(db, merchantId, body.email),
      'read',
    )
    const password = body.password.slice(0, longestPassword)
    // Takes as long for an unknown address, and for an account without a password.
    const isRight = await isPassword(password, account?.passwordHash ?? undefined)
    if (!isRight || !account) throw new ProductError('SignInRefused')
    await doors.withSystem('identity', (db) => wasRight(db, guess, place))
    return start(call, portal, { customerId: account.customerId, isByLink: false, isNew: false })
  },

  renewCustomerSession: async (call) => {
    const { doors, now } = call
    refuseOtherSites(call)
    const cookie = cookieOf(call)
    if (!cookie) throw new ProductError('Unauthorized')
    const { merchantId } = await portalWithMedia(call)
    const next = newToken()
    const { sessionId, hash } = cookie
    const expiresAt = new Date(now.getTime() + sessionMillis)
    const renewed = await doors.withTenant(wholeOf(merchantId), (db) =>
      renewCustomerSession(db, merchantId, { sessionId, hash, nextHash: hashOfToken(next), now, expiresAt }),
    )
    if (!renewed) {
      setCookie(call, '')
      throw new ProductError('Unauthorized')
    }
    if (renewed.isRenewed) setCookie(call, `${sessionId}.${next}`)
    return signedIn(call, { merchantId, customerId: renewed.customerId, sessionId }, false)
  },

  endCustomerSession: async (call) => {
    refuseOtherSites(call)
    const cookie = cookieOf(call)
    const { merchantId } = await portalWithMedia(call)
    setCookie(call, '')
    if (cookie)
      await call.doors.withTenant(wholeOf(merchantId), (db) =>
        endCustomerSession(db, merchantId, cookie.sessionId, cookie.hash),
      )
    return undefined
  },
}
