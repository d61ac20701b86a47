import { z } from 'zod'
import { MediaType } from '#contract/vocabulary/transaction.ts'

const media = { mediaSerial: z.string().min(1).max(40), mediaType: MediaType.default(2) }
const Amount = z.int().min(1)

/** What a customer with a medium does at a machine. */
export const MediaAct = z.discriminatedUnion('action', [
  z.strictObject({
    ...media,
    action: z.literal('sell'),
    /** By default the first that has stock. */
    selection: z.string().optional(),
    /** The vend fails: `released` costs nothing; `charged` takes the money although nothing is delivered. */
    fails: z.enum(['released', 'charged']).optional(),
    /** Seconds without a connection between the approval and the report of the sale. */
    silentSeconds: z.number().min(0).optional(),
  }),
  z.strictObject({
    ...media,
    action: z.literal('recharge'),
    amount: Amount,
    to: z.enum(['cloud', 'key']).default('cloud'),
  }),
  /** Writes a refund, or else credit of the cloud, onto the key. */
  z.strictObject({ ...media, action: z.literal('collect'), amount: Amount.default(1_000_000) }),
  /** Shows a code with which the holder links the key to an account; it is in the result. */
  z.strictObject({ ...media, action: z.literal('link') }),
  /** The vend of the next app payment fails. */
  z.strictObject({
    action: z.literal('spoil'),
    fails: z.enum(['released', 'charged']).default('released'),
  }),
])
export type MediaAct = z.infer<typeof MediaAct>
export const mediaActions = ['sell', 'recharge', 'collect', 'link', 'spoil'] as const

/** The end of an act. `refused`: the server's or the machine's reason. Amounts are minor units. */
export interface MediaActResult {
  outcome: 'sold' | 'failed' | 'recharged' | 'collected' | 'shown' | 'spoilt' | 'refused'
  reason?: string
  reservationId?: string
  amount?: number
  /** The code that the machine shows. */
  code?: string
}
