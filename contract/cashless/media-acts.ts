import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Text } from '../frame/shapes.ts'
import { ownMediaTypes } from '../vocabulary/cashless.ts'
import { MediaType } from '../vocabulary/transaction.ts'
import { Media, MediaFinding, MediaStatus } from './media.ts'

/** A serial as people type or scan it: lower case and spaces are accepted. */
export const MediaSerialInput = Text.trim().min(1).max(60)

/** A medium that staff registers, such as the replacement of a lost key. */
export const NewMedia = z.strictObject({
  serial: MediaSerialInput,
  type: MediaType.refine((type) => ownMediaTypes.includes(type)).default(2),
})
export type NewMedia = z.input<typeof NewMedia>

/** What a serial names. `mediaSerial` is null where the text can be no serial, or is the placeholder `FFFFFFFF`. */
export const ValidatedMedia = z.strictObject({
  given: z.string(),
  mediaSerial: z.string().nullable(),
  mediaId: z.uuid().nullable(),
  type: MediaType.nullable(),
  status: MediaStatus.nullable(),
  /** It may receive a refund. */
  isValid: z.boolean(),
})
export type ValidatedMedia = z.infer<typeof ValidatedMedia>

const path = '/merchants/{merchantId}/medias/{mediaId}' as const
const base = { method: 'PUT', needs: 'media.write', feature: 'customerMedia', finds: ['mediaId'] } as const

/** Decides once about a recharge above a limit. The same decision again changes nothing. */
const decides = {
  ...base,
  needs: 'keptRecharge.write',
  finds: ['mediaId', 'findingId'],
  ok: MediaFinding,
} as const

export const mediaActs = {
  createMedia: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/medias',
    summary: 'Register a medium',
    needs: 'media.write',
    feature: 'customerMedia',
    body: NewMedia,
    ok: Media,
    status: 201,
    fails: ['MerchantNotSelected', 'MediaAlreadyExists', 'ValidationFailed'],
  }),
  validateMedias: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/medias/validate',
    summary: 'Check which serials name media, and whether these may receive refunds',
    needs: 'media.read',
    feature: 'customerMedia',
    body: z.strictObject({ mediaSerials: z.array(MediaSerialInput).min(1).max(500) }),
    ok: z.array(ValidatedMedia),
    fails: ['MerchantNotSelected'],
  }),
  blockMedia: endpoint({
    ...base,
    path: `${path}/block`,
    summary: 'Block a medium; machines get it with the next block list',
    ok: Media,
    fails: ['MediaNotFound', 'MediaLost'],
  }),
  unblockMedia: endpoint({
    ...base,
    path: `${path}/unblock`,
    summary: 'Unblock a medium; a lost key stays blocked',
    ok: Media,
    fails: ['MediaNotFound', 'MediaLost'],
  }),
  unblockMediaTokens: endpoint({
    ...base,
    path: `${path}/unblock-tokens`,
    summary: 'End all reservations of a medium; `ended` is their number',
    ok: z.strictObject({ ended: z.int(), media: Media }),
    fails: ['MediaNotFound'],
  }),
  lostMyKey: endpoint({
    ...base,
    path: `${path}/lost-my-key`,
    summary: 'Mark a key as lost and move its credit, bonus and owner to a newly registered medium, `MediaId`',
    body: z.strictObject({ MediaId: ids.mediaId }),
    ok: Media,
    fails: ['MediaNotFound', 'MediaLost', 'ValidationFailed'],
  }),
  setMediaCustomer: endpoint({
    ...base,
    path: `${path}/customer`,
    needs: 'customer.write',
    summary: 'Assign a medium to a customer, or remove its customer',
    body: z.strictObject({ customerId: ids.customerId.nullable() }),
    ok: Media,
    fails: ['MediaNotFound', 'CustomerNotFound', 'MediaLost'],
  }),
  closeMediaFinding: endpoint({
    ...base,
    path: `${path}/findings/{findingId}/close`,
    summary: 'Close a finding; a kept recharge is booked or refused instead',
    finds: ['mediaId', 'findingId'],
    ok: MediaFinding,
    fails: ['MediaNotFound', 'FindingNotFound', 'RechargeUndecided'],
  }),
  bookKeptRecharge: endpoint({
    ...decides,
    path: `${path}/findings/{findingId}/book`,
    summary: 'Book a kept recharge, which is above a limit',
    fails: ['MediaNotFound', 'FindingNotFound', 'RechargeDecided'],
  }),
  refuseKeptRecharge: endpoint({
    ...decides,
    path: `${path}/findings/{findingId}/refuse`,
    summary: 'Refuse a kept recharge, which is above a limit; a web payment is refunded at its provider',
    fails: ['MediaNotFound', 'FindingNotFound', 'RechargeDecided'],
  }),
}
