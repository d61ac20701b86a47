import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { type customerProfiles, OwnProfile } from '#contract/key-portal/customer-profile.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { cardsOf, dataOfMedias, writeConsent } from '#database/cashless/customer.ts'
import { accountOfCustomer, dropCustomerSessions, saveCustomerPassword } from '#database/key-portal/customer-account.ts'
import type { OwnKey } from '#database/key-portal/own-media.ts'
import { ownProfile, writeOwnProfile } from '#database/key-portal/own-profile.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { inLog } from '#server/customers/admit.ts'
import type { CustomerCall, Handlers } from '#server/http/handler.ts'
import { wireOf } from '#server/http/wire.ts'
import { mayGuess, wasRight } from '#server/identity/attempts.ts'
import { hashPassword, isPassword } from '#server/identity/password.ts'
import { eraseOneself } from '../cashless/customer.ts'
import { allOwnClaims } from './customer-claim.ts'

/** So long after a sign-in by a mailed link, the password may be set without the current one. */
const linkMillis = 30 * 60_000

const consents = {
  consentAnalysis: 'consent_analysis',
  consentCommunications: 'consent_communications',
  consentQuality: 'consent_quality',
} as const
type Consent = keyof typeof consents
const consentNames = Object.keys(consents) as Consent[]

const consentsOf = (row: OwnProfileRow) => ({
  consentAnalysis: row.consent_analysis,
  consentCommunications: row.consent_communications,
  consentQuality: row.consent_quality,
})
type OwnProfileRow = NonNullable<Awaited<ReturnType<typeof ownProfile>>>

export async function profileOf({ db, customer }: Pick<CustomerCall, 'db' | 'customer'>): Promise<OwnProfileRow> {
  const row = await ownProfile(db, customer)
  if (!row) throw new ProductError('Unauthorized')
  return row
}

const present = (row: OwnProfileRow, { customer }: CustomerCall) =>
  wireOf(OwnProfile, row, {
    language: row.language as Language | null,
    hasRecharges: customer.features.includes('webPayments'),
  })

/** What end customers do with their own account. */
export const customerProfileHandlers: Handlers<typeof customerProfiles> = {
  getOwnProfile: async (call) => present(await profileOf(call), call),

  updateOwnProfile: async (call) => {
    const { db, body, customer, now, live } = call
    const key: OwnKey = customer
    const before = await profileOf(call)
    await writeOwnProfile(db, key, { name: body.name ?? before.name, language: body.language ?? before.language })
    for (const name of consentNames) {
      const consent = body[name]
      if (consent === undefined || consent === before[consents[name]]) continue
      await writeConsent(consents[name])(db, { merchant_id: customer.merchantId, id: customer.customerId }, consent)
    }
    const after = await profileOf(call)
    const was = consentsOf(before)
    const is = consentsOf(after)
    if (JSON.stringify(was) !== JSON.stringify(is))
      await recordChange(db, {
        merchantId: customer.merchantId,
        at: now,
        user: inLog(customer),
        action: 'customer.update',
        subjectType: 'customer',
        subjectId: customer.customerId,
        before: was,
        after: is,
      })
    db.afterCommit(() => live.announce(customer.merchantId, 'customer'))
    return present(after, call)
  },

  setOwnPassword: async (call) => {
    const { db, doors, body, customer, now, request } = call
    const { merchantId, customerId, sessionId, linkedInAt } = customer
    const account = await accountOfCustomer(db, merchantId, customerId)
    const isFresh = linkedInAt !== null && now.getTime() - linkedInAt.getTime() < linkMillis
    if (!isFresh) {
      const guess = { email: `${merchantId} ${customer.email}`, address: request.ip, now }
      const place = await doors.withSystem('identity', (system) => mayGuess(system, guess))
      if (!place) throw new ProductError('TooManyRequests')
      if (!(await isPassword(body.current ?? '', account?.passwordHash ?? undefined)))
        throw new ProductError('PasswordWrong')
      await doors.withSystem('identity', (system) => wasRight(system, guess, place))
    }
    await saveCustomerPassword(db, merchantId, customerId, await hashPassword(body.next))
    await dropCustomerSessions(db, merchantId, customerId, sessionId)
    return undefined
  },

  endOwnSessions: async ({ db, customer }) => {
    await dropCustomerSessions(db, customer.merchantId, customer.customerId)
    return undefined
  },

  getOwnData: async (call) => {
    const { db, customer, reply, now } = call
    const profile = present(await profileOf(call), call)
    const key = { merchant_id: customer.merchantId, id: customer.customerId }
    const data = {
      createdAt: toWire(now),
      customer: profile,
      cards: await cardsOf(db, key),
      ...(await dataOfMedias(db, key)),
      claims: await allOwnClaims(call),
    }
    reply
      .type('application/json')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .send(Buffer.from(JSON.stringify(data, null, 2)))
    return undefined
  },

  deleteOwnAccount: eraseOneself,
}
