import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { Pieces } from '#contract/cash/collection.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './eva-dts/money.ts'
import { scaleOf } from './eva-dts/scale.ts'

type Content = Pick<AuditContent, 'cash' | 'money'>

/** Pieces that went into box and stacker since the machine's initialisation, by value in minor units of the merchant's currency. */
function boxedPieces({ cash, money }: Content, merchant: Currency): Map<number, number> {
  const pieces = new Map<number, number>()
  if (currencyOfReading(money, merchant) !== merchant) return pieces
  const { convert } = scaleOf(money.digits, currencies[merchant].storageDigits)
  const add = (value: number, count: number | null) => {
    if (count !== null) pieces.set(convert(value), (pieces.get(convert(value)) ?? 0) + count)
  }
  for (const { value, toBox } of cash.coins) add(value, toBox.sinceInitialisation)
  for (const { value, toStacker, received } of cash.bills) {
    // Without recyclers all bills go to the stacker.
    const stacked =
      toStacker.sinceInitialisation ?? (cash.recyclerBills.length === 0 ? received.sinceInitialisation : null)
    add(value, stacked)
  }
  return pieces
}

/**
 * The pieces between two audits of a machine (CA11 and CA14), by denomination. A denomination that either file lacks, or whose counter
 * fell, is left out.
 */
export function piecesBetween(before: Content, now: Content, currency: Currency): Pieces[] {
  const earlier = boxedPieces(before, currency)
  return [...boxedPieces(now, currency)]
    .flatMap(([value, count]) => {
      const from = earlier.get(value)
      return from === undefined || count < from ? [] : [{ value, count: count - from }]
    })
    .sort((one, other) => one.value - other.value)
}
