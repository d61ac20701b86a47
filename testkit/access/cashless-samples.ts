import { randomUUID } from 'node:crypto'
import type { customers } from '#contract/cashless/customer.ts'
import type { medias } from '#contract/cashless/media.ts'
import type { mediaActs } from '#contract/cashless/media-acts.ts'
import type { refunds } from '#contract/cashless/refund.ts'
import type { AnyInput } from '../api.ts'
import type { Aim } from './aim.ts'
import type { RecordCall } from './record-samples.ts'

type Rows = typeof medias & typeof mediaActs & typeof refunds & typeof customers

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofMedia = ({ merchantId, mediaId }: Aim) => ({ params: { merchantId, mediaId } })
const refund = { amount: 100, currency: 'EUR', reason: 'Failed vend' }
const serial = () => `S${randomUUID().slice(0, 12)}`

/** A sound call of each endpoint of media, refunds and customers; `record-samples.ts` has the common calls of customers. */
export const cashlessSamples: Record<Exclude<keyof Rows, RecordCall>, { input: (aim: Aim) => AnyInput }> = {
  listMedias: {
    input: ({ merchantId, customerId }) => ({ params: { merchantId }, query: { customerIds: [customerId] } }),
  },
  totalMedias: {
    input: ({ merchantId, customerId }) => ({ params: { merchantId }, query: { customerIds: [customerId] } }),
  },
  totalCustomers: { input: ofMerchant },
  mediaTypesOfMedias: { input: ofMerchant },
  getMedia: { input: ofMedia },
  getWallets: { input: ofMedia },
  listMediaOperations: { input: ofMedia },
  listMediaReservations: { input: ofMedia },
  listMediaFindings: { input: ofMedia },
  createMedia: { input: (aim) => ({ ...ofMerchant(aim), body: { serial: serial(), type: 2 } }) },
  validateMedias: { input: (aim) => ({ ...ofMerchant(aim), body: { mediaSerials: [serial()] } }) },
  blockMedia: { input: ofMedia },
  unblockMedia: { input: ofMedia },
  unblockMediaTokens: { input: ofMedia },
  lostMyKey: { input: (aim) => ({ ...ofMedia(aim), body: { MediaId: aim.mediaId } }) },
  setMediaCustomer: { input: (aim) => ({ ...ofMedia(aim), body: { customerId: aim.customerId } }) },
  bookKeptRecharge: {
    input: ({ merchantId, mediaId, bookedFindingId: findingId }) => ({ params: { merchantId, mediaId, findingId } }),
  },
  refuseKeptRecharge: {
    input: ({ merchantId, mediaId, refusedFindingId: findingId }) => ({ params: { merchantId, mediaId, findingId } }),
  },
  closeMediaFinding: {
    input: ({ merchantId, mediaId, findingId }) => ({ params: { merchantId, mediaId, findingId } }),
  },
  listRefunds: {
    input: ({ merchantId, mediaId }) => ({ params: { merchantId }, query: { mediaIds: [mediaId] } }),
  },
  listMediaRefunds: { input: ofMedia },
  getRefund: { input: ({ merchantId, refundId }) => ({ params: { merchantId, refundId } }) },
  getRefundLimits: { input: ofMerchant },
  refundMedia: {
    input: (aim) => ({
      ...ofMedia(aim),
      body: { id: randomUUID(), refund, transactionId: aim.transactionId },
    }),
  },
  refundMediaAtMachine: {
    input: (aim) => ({
      ...ofMedia(aim),
      body: { id: randomUUID(), refund, device: aim.posId, transactionId: aim.transactionId },
    }),
  },
  refundBatch: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { id: randomUUID(), mediaSerials: [serial()], refund, device: aim.posId },
    }),
  },
  getCustomerData: { input: ({ merchantId, customerId }) => ({ params: { merchantId, customerId } }) },
}
