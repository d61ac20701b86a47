import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { LineText, Text } from '../frame/shapes.ts'
import { longestPassword } from '../rules/password.ts'
import { Email } from '../rules/text.ts'
import { Language } from '../vocabulary/world/languages.ts'
import { PortalSlug } from './portal.ts'

/*
 * How an end customer of one merchant signs in at its key portal: by a link in a mail, or by a password. An access token is short-lived and
 * kept in memory; the refresh token is a cookie that only `/customer/session/{portalSlug}` receives, and is replaced at each use.
 */

/** A customer who has signed in. `isNew`: this link created the account. */
export const SignedInCustomer = z.strictObject({
  /** Sent as `Authorization: Bearer` to `/customer/*`. */
  accessToken: z.string(),
  expiresInSeconds: z.int(),
  isNew: z.boolean(),
})
export type SignedInCustomer = z.infer<typeof SignedInCustomer>

/** The same for known and unknown addresses: the link signs in, and creates an account where there is none. */
export const RequestedSignInLink = z.strictObject({
  email: Email,
  /** The name of a new account; an existing one keeps its own. */
  name: LineText.trim().min(1).max(200).optional(),
  language: Language,
})

const ofSlug = { params: { portalSlug: PortalSlug }, needs: 'anyone' } as const

export const customerSessions = {
  requestSignInLink: endpoint({
    ...ofSlug,
    method: 'POST',
    path: '/customer/sign-in/{portalSlug}/link',
    summary:
      'Send a link by mail, with which a customer signs in or signs up; the answer and the mail are the same for any address',
    limit: 'customerLink',
    body: RequestedSignInLink,
    fails: ['PortalNotFound', 'TooManyRequests'],
  }),
  signInByLink: endpoint({
    ...ofSlug,
    method: 'POST',
    path: '/customer/sign-in/{portalSlug}/token',
    summary: 'Start the session of a customer with the token of a mailed link, once',
    limit: 'customerSignIn',
    body: z.strictObject({ token: Text.min(1).max(100) }),
    hasSecret: true,
    ok: SignedInCustomer,
    fails: ['PortalNotFound', 'SignInLinkEnded', 'TooManyRequests'],
  }),
  signInByPassword: endpoint({
    ...ofSlug,
    method: 'POST',
    path: '/customer/sign-in/{portalSlug}/password',
    summary: 'Start the session of a customer with a password',
    limit: 'customerSignIn',
    body: z.strictObject({ email: Email, password: Text.min(1).max(longestPassword) }),
    hasSecret: true,
    ok: SignedInCustomer,
    fails: ['PortalNotFound', 'SignInRefused', 'TooManyRequests'],
  }),
  renewCustomerSession: endpoint({
    ...ofSlug,
    method: 'POST',
    path: '/customer/session/{portalSlug}/refresh',
    summary:
      'Get a new access token with the refresh cookie, which is replaced; a cookie that is used again ends the session',
    hasSecret: true,
    ok: SignedInCustomer,
    fails: ['PortalNotFound', 'Unauthorized'],
  }),
  endCustomerSession: endpoint({
    ...ofSlug,
    method: 'POST',
    path: '/customer/session/{portalSlug}/end',
    summary: 'End the session of a customer in this browser',
    fails: ['PortalNotFound'],
  }),
}
