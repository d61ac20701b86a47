import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import type { Currency } from '../vocabulary/world/currencies.ts'

/** Medias of one batch refund; the deployment sets the maximum. */
export const batchRefundOf = (maxSize: number) =>
  z
    .array(z.string().min(1))
    .min(1)
    .refine((serials) => serials.length <= maxSize, saying('batchRefund', { maxSize }))

/** Whether a refund stays strictly below the merchant's maximum. Minor units. */
export const isBelowMaximum = (amount: number, maximum: number): boolean => amount < maximum

/** A refund in minor units: above zero, and below the merchant's maximum. */
export const refundBelow = (maximum: number, currency: Currency) =>
  z
    .int()
    .positive()
    .refine(
      (amount) => isBelowMaximum(amount, maximum),
      saying('refundMaximum', { maximum: { minor: maximum, currency } }),
    )

/** A refund of a sale: the same, and at most what may still be refunded of it. */
export const refundOfSale = (maximum: number, refundable: number, currency: Currency) =>
  refundBelow(maximum, currency).refine(
    (amount) => amount <= refundable,
    saying('refundOfSale', { maximum: { minor: refundable, currency } }),
  )

/** A lost key's credit moves to another key, which must be registered and different. */
export const lostKeyOf = (facts: { lostMediaId: string; registeredMediaIds: readonly string[] }) =>
  z.string().refine((id) => id !== facts.lostMediaId && facts.registeredMediaIds.includes(id), saying('lostKey'))
