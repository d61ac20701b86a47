import { z } from 'zod'
import { customerEndpoint } from '../frame/endpoint.ts'
import { Instant, LineText, Text } from '../frame/shapes.ts'
import { longestPassword } from '../rules/password.ts'
import { Password } from '../rules/text.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** The customer as the customer sees themselves. */
export const OwnProfile = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  email: z.string(),
  name: z.string(),
  language: Language.nullable(),
  hasPassword: z.boolean(),
  /** Privacy consents 1 to 3: analysis, commercial communications, quality and satisfaction. Each date is that of its last change. */
  consentAnalysis: z.boolean(),
  consentAnalysisAt: Instant.nullable(),
  consentCommunications: z.boolean(),
  consentCommunicationsAt: Instant.nullable(),
  consentQuality: z.boolean(),
  consentQualityAt: Instant.nullable(),
  /** The merchant takes payments on the web. */
  hasRecharges: z.boolean(),
  registeredAt: Instant,
})
export type OwnProfile = z.infer<typeof OwnProfile>

/** Fields that are left out stay. */
export const EditedOwnProfile = z.strictObject({
  name: LineText.trim().min(1).max(200).optional(),
  language: Language.optional(),
  consentAnalysis: z.boolean().optional(),
  consentCommunications: z.boolean().optional(),
  consentQuality: z.boolean().optional(),
})
export type EditedOwnProfile = z.output<typeof EditedOwnProfile>

export const customerProfiles = {
  getOwnProfile: customerEndpoint({
    method: 'GET',
    path: '/customer/profile',
    summary: 'Get one’s own profile as a customer',
    ok: OwnProfile,
  }),
  updateOwnProfile: customerEndpoint({
    method: 'PUT',
    path: '/customer/profile',
    summary: 'Change one’s own name, language and consents',
    body: EditedOwnProfile,
    ok: OwnProfile,
  }),
  setOwnPassword: customerEndpoint({
    method: 'PUT',
    path: '/customer/password',
    summary:
      'Set one’s own password; the current one is needed, except within 30 minutes of a sign-in by a link. Other sessions end',
    body: z.strictObject({ current: Text.min(1).max(longestPassword).optional(), next: Password }),
    fails: ['PasswordWrong', 'TooManyRequests'],
  }),
  endOwnSessions: customerEndpoint({
    method: 'POST',
    path: '/customer/sessions/end',
    summary: 'End one’s own sessions in all browsers',
  }),
  getOwnData: customerEndpoint({
    method: 'GET',
    path: '/customer/data',
    summary: 'Download all stored data of oneself, with the claims and their answers, as JSON',
    produces: 'application/json',
  }),
  deleteOwnAccount: customerEndpoint({
    method: 'DELETE',
    path: '/customer/account',
    summary: 'Erase one’s own account; media, credit and transactions stay, without an owner',
  }),
}
