import type { IdName } from '#contract/frame/ids.ts'

/**
 * The records that one call aims at, by the nouns of their ids: a machine with its records, through a merchant's path.
 */
export type Aim = { readonly [Noun in IdName]: string } & {
  readonly exportToken: string
  readonly retrievalToken: string
  /** The machine's QR code. */
  readonly machineCode: string
  /** Unknown, except for customers. */
  readonly paymentId: string
  /** Findings that keep a recharge: one is booked, the other is refused. */
  readonly bookedFindingId: string
  readonly refusedFindingId: string
}
