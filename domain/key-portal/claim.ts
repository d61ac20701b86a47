import type { ClaimDetails, ClaimLogEntry } from '#contract/key-portal/claim.ts'

/** The input of the id of a claim's refund: the same claim always has the same refund. */
export const refundOfClaim = (claimId: string) => `refund of claim ${claimId}`

/** A version 8 UUID (RFC 9562) from a digest of 32 hexadecimal digits or more. */
export function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type Reported = Pick<ClaimDetails, 'amount' | 'paidBy' | 'mediaSerial' | 'happenedAt' | 'log'>

/** Whether something of a sale of the machine's log may still be refunded. */
export const isRefundable = ({ refundable }: Pick<ClaimLogEntry, 'refundable'>) => (refundable ?? 0) > 0

/**
 * The sale of the machine's log that a claim is about: with the claim's medium, or without one if the customer paid in cash; failed, or of the claimed
 * amount. A failed vend comes before others, then the claimed amount, then the nearest moment. Undefined: no sale fits.
 */
export function saleOfClaim({ amount, paidBy, mediaSerial, happenedAt, log }: Reported): ClaimLogEntry | undefined {
  const far = ({ at }: ClaimLogEntry) => Math.abs(Date.parse(`${at}Z`) - Date.parse(`${happenedAt}Z`))
  const isMeant = (sale: ClaimLogEntry) =>
    (paidBy === 'media' ? mediaSerial !== null && sale.mediaSerial === mediaSerial : sale.mediaSerial === null) &&
    (sale.amount === amount || (sale.isFailed === true && (sale.amount ?? 0) > amount))
  return log
    .filter((entry) => isRefundable(entry) && isMeant(entry))
    .toSorted(
      (one, other) =>
        Number(other.isFailed) - Number(one.isFailed) ||
        Number(other.amount === amount) - Number(one.amount === amount) ||
        far(one) - far(other),
    )[0]
}
