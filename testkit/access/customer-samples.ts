import { randomUUID } from 'node:crypto'
import type { customerClaims } from '#contract/key-portal/customer-claim.ts'
import type { customerMedias } from '#contract/key-portal/customer-media.ts'
import type { customerPayments } from '#contract/key-portal/customer-payment.ts'
import type { customerProfiles } from '#contract/key-portal/customer-profile.ts'
import type { customerRecharges } from '#contract/key-portal/customer-recharge.ts'
import type { customerSessions } from '#contract/key-portal/customer-session.ts'
import type { machinePages } from '#contract/key-portal/machine-page.ts'
import type { AnyInput } from '../api.ts'
import { portalSlugOf } from '../nouns/key-portal.ts'
import type { Aim } from './aim.ts'

type Rows = typeof customerSessions &
  typeof customerProfiles &
  typeof customerMedias &
  typeof customerRecharges &
  typeof customerPayments &
  typeof customerClaims &
  typeof machinePages

const email = 'somebody@customer.test'
const ofPortal = ({ merchantId }: Aim) => ({ params: { portalSlug: portalSlugOf(merchantId) } })
const ofMedia = ({ mediaId }: Aim) => ({ params: { mediaId } })
const ofPayment = ({ paymentId }: Aim) => ({ params: { paymentId } })
const ofCode = ({ machineCode }: Aim) => ({ params: { code: machineCode } })

/** A sound call of each endpoint of the customers' app. */
export const customerSamples: Record<keyof Rows, { input: (aim: Aim) => AnyInput }> = {
  requestSignInLink: { input: (aim) => ({ ...ofPortal(aim), body: { email, language: 'it' } }) },
  signInByLink: { input: (aim) => ({ ...ofPortal(aim), body: { token: 'x'.repeat(43) } }) },
  signInByPassword: {
    input: (aim) => ({ ...ofPortal(aim), body: { email: `${randomUUID()}@customer.test`, password: 'Wrong-1' } }),
  },
  renewCustomerSession: { input: ofPortal },
  endCustomerSession: { input: ofPortal },
  getOwnProfile: { input: () => ({}) },
  updateOwnProfile: { input: () => ({ body: { consentQuality: true } }) },
  setOwnPassword: { input: () => ({ body: { next: 'A-new-password-1' } }) },
  endOwnSessions: { input: () => ({}) },
  getOwnData: { input: () => ({}) },
  deleteOwnAccount: { input: () => ({}) },
  listOwnMedias: { input: () => ({}) },
  createOwnWallet: { input: () => ({}) },
  linkOwnMedia: { input: () => ({ body: { serial: `K${randomUUID().slice(0, 8)}`, code: '12345678' } }) },
  unlinkOwnMedia: { input: ofMedia },
  blockOwnMedia: { input: ofMedia },
  listOwnTransactions: { input: ({ mediaId }) => ({ query: { mediaId } }) },
  listOwnRechargeServices: { input: () => ({}) },
  listOwnRecharges: { input: () => ({}) },
  startOwnRecharge: {
    input: ({ mediaId, webPaymentServiceId }) => ({
      body: { id: randomUUID(), serviceId: webPaymentServiceId, mediaId, amount: 500, currency: 'EUR' },
    }),
  },
  getOwnRecharge: { input: ({ webPaymentOrderId }) => ({ params: { webPaymentOrderId } }) },
  startOwnPayment: {
    input: (aim) => ({
      ...ofCode(aim),
      body: { id: randomUUID(), mediaId: aim.mediaId, amount: 100, currency: 'EUR' },
    }),
  },
  listOwnClaims: { input: () => ({}) },
  createOwnClaim: {
    input: (aim) => ({
      ...ofCode(aim),
      body: {
        id: randomUUID(),
        amount: 100,
        currency: 'EUR',
        paidBy: 'media',
        mediaId: aim.mediaId,
        text: 'No coffee',
        happenedAt: new Date().toISOString(),
      },
    }),
  },
  getOwnPayment: { input: ofPayment },
  cancelOwnPayment: { input: ofPayment },
  getMachinePage: { input: ofCode },
  findMachineByCode: { input: ofCode },
}
