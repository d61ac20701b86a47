/** Rejected ÷ (accepted + rejected), in percent. Null where nothing was offered. */
export const rejectionRate = ({ accepted, rejected }: { accepted: number; rejected: number }): number | null =>
  accepted + rejected === 0 ? null : (rejected / (accepted + rejected)) * 100

export type RejectionBand = 'none' | 'good' | 'middling' | 'bad'

/** Good below 15 percent, bad above 20; both limits are middling. */
export function rejectionBand(rate: number | null): RejectionBand {
  if (rate === null) return 'none'
  if (rate < 15) return 'good'
  return rate <= 20 ? 'middling' : 'bad'
}
