import type { rejectionBands } from '#contract/insight/distributor-kpis.ts'

/** Rejected ÷ (accepted + rejected), in percent. Null where nothing was offered. */
export const rejectionRate = ({ accepted, rejected }: { accepted: number; rejected: number }): number | null =>
  accepted + rejected === 0 ? null : (rejected / (accepted + rejected)) * 100

export type RejectionBand = (typeof rejectionBands)[number]

/** Percent of rejections from which they are middling, and above which they are bad. */
export const rejectionLimits = { middling: 15, bad: 20 } as const

/** Good below 15 percent, bad above 20; both limits are middling. */
export function rejectionBand(rate: number | null): RejectionBand {
  if (rate === null) return 'none'
  if (rate < rejectionLimits.middling) return 'good'
  return rate <= rejectionLimits.bad ? 'middling' : 'bad'
}
