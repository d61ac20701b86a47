import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { customerEndpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Instant, InstantInput, MinorUnits } from '../frame/shapes.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { mostAmount } from '../vocabulary/world/money-limits.ts'
import { ClaimPayment, ClaimState, ClaimText } from './claim.ts'
import { MachineCode } from './machine-page.ts'

/** A claim as its customer sees it, with the answer. Amounts are minor units. */
export const OwnClaim = z.strictObject({
  id: z.uuid(),
  number: z.int(),
  state: ClaimState,
  machineName: z.string(),
  selection: z.string().nullable(),
  amount: MinorUnits,
  currency: Currency,
  paidBy: ClaimPayment,
  mediaId: z.uuid().nullable(),
  text: z.string(),
  happenedAt: Instant,
  createdAt: Instant,
  answer: z.string().nullable(),
  answeredAt: Instant.nullable(),
  refundedAmount: MinorUnits.nullable(),
})
export type OwnClaim = z.infer<typeof OwnClaim>

export const customerClaims = {
  listOwnClaims: customerEndpoint({
    method: 'GET',
    path: '/customer/claims',
    summary: 'List one’s own claims with their answers, newest first',
    ok: z.array(OwnClaim),
  }),
  createOwnClaim: customerEndpoint({
    method: 'POST',
    path: '/customer/machines/{code}/claims',
    summary: 'Send a claim about the machine whose QR code was scanned; the same id again is the same claim',
    params: { code: MachineCode },
    body: z.strictObject({
      /** Made by the caller. */
      id: z.uuid(),
      selection: SelectionName.nullable().default(null),
      amount: z.int().min(1).max(mostAmount),
      currency: Currency,
      paidBy: ClaimPayment,
      /** The medium that paid. After a payment in cash, the medium for a refund. */
      mediaId: ids.mediaId.nullable().default(null),
      text: ClaimText,
      happenedAt: InstantInput,
    }),
    ok: OwnClaim,
    status: 201,
    fails: [
      'MachineNotFound',
      'MachineOfOtherMerchant',
      'MediaNotFound',
      'CurrencyDiffers',
      'ClaimIdTaken',
      'TooManyRequests',
      'ValidationFailed',
    ],
  }),
}
