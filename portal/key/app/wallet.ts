import type { OwnMedia } from '#contract/key-portal/customer-media.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'

export const mediaStatus = { ok: 0, blocked: 1, lost: 2 } as const
export const appWallet = 4

export type Totals = { currency: Currency; credit: number; cloud: number; bonus: number; reserved: number }

/** What can be spent with all media that are OK, for each currency: amounts of several currencies are never added. */
export function totalsOf(medias: readonly OwnMedia[]): Totals[] {
  const totals = new Map<Currency, Totals>()
  for (const media of medias) {
    if (media.status !== mediaStatus.ok) continue
    const sum = totals.get(media.currency) ?? { currency: media.currency, credit: 0, cloud: 0, bonus: 0, reserved: 0 }
    totals.set(media.currency, {
      ...sum,
      credit: sum.credit + media.credit,
      cloud: sum.cloud + media.cloudCredit,
      bonus: sum.bonus + media.bonusCredit,
      reserved: sum.reserved + media.reserved,
    })
  }
  return [...totals.values()]
}
