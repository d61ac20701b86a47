import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Day, LineText, Text } from '../frame/shapes.ts'
import { Feature, ProductFamily } from '../vocabulary/feature.ts'
import { Role } from '../vocabulary/roles.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** The signed-in user. */
export const Me = z.strictObject({
  id: z.uuid(),
  version: Version,
  email: z.string(),
  name: z.string(),
  role: Role,
  language: Language.nullable(),
  /** Whether the user may open the service manager, which creates and moves licences. */
  mayLicense: z.boolean(),
})
export type Me = z.infer<typeof Me>

export const UpdateMe = z.strictObject({
  version: Version,
  name: LineText.trim().min(1).max(200),
  language: Language.nullable(),
})

/** Why a merchant is closed to a user, by the code of the refusal. */
export const closings = [
  'DemoExpired',
  'WebPortalNotIncluded',
  'SecondFactorRequired',
] as const satisfies readonly ErrorCode[]
export type Closing = (typeof closings)[number]

/** A merchant for its own users. */
export const MerchantFacts = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  country: z.string(),
  language: Language,
  timeZone: z.string(),
  currency: Currency,
  isDemo: z.boolean(),
  demoExpiresOn: Day.nullable(),
  /** Days until the demo's last one by the merchant's own calendar: 0 is the last, below it is over. */
  demoDaysLeft: z.int().nullable(),
  /** Why the caller sees nothing of it: the error code of calls on it. */
  closedBy: z.enum(closings).nullable(),
  features: z.array(Feature),
  productFamilies: z.array(ProductFamily),
  /** Whether the merchant has the service. */
  screenConfigurationManagement: z.boolean(),
})
export type MerchantFacts = z.infer<typeof MerchantFacts>

/** The browser's report about its session, for the log. */
export const SessionEvent = z.strictObject({
  type: z.enum(['autoLogout', 'logout']),
  reason: Text.max(200),
})

export const users = {
  getMe: endpoint({
    method: 'GET',
    path: '/users/me',
    summary: 'Get the signed-in user',
    needs: 'profile.read',
    ok: Me,
  }),
  updateMe: endpoint({
    method: 'PUT',
    path: '/users/me',
    summary: 'Update your name and language',
    needs: 'profile.write',
    body: UpdateMe,
    ok: Me,
    fails: ['EditConflict'],
  }),
  listMyMerchants: endpoint({
    method: 'GET',
    path: '/users/me/merchants',
    summary: 'List merchants you can see, by name',
    needs: 'merchant.read',
    topics: ['merchant'],
    ok: z.array(MerchantFacts),
    timeOut: 'large',
  }),
  logSessionEvent: endpoint({
    method: 'POST',
    path: '/users/me/session-events',
    summary: 'Log the end of a browser session',
    needs: 'profile.read',
    body: SessionEvent,
  }),
  watchLive: endpoint({
    method: 'GET',
    path: '/users/me/live',
    summary: 'Stream change hints (server-sent events)',
    needs: 'live.read',
    limit: 'liveStream',
    produces: 'text/event-stream',
    timeOut: 'stream',
  }),
}
