/** The input of the id of a claim's refund: the same claim always has the same refund. */
export const refundOfClaim = (claimId: string) => `refund of claim ${claimId}`

/** A version 8 UUID (RFC 9562) from a digest of 32 hexadecimal digits or more. */
export function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}${variant}${digest.slice(17, 32)}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
