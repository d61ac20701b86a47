import type { AuditContent, Counts } from '#contract/audits/audit-content.ts'
import type { Pieces } from '#contract/cash/collection.ts'
import type { IntervalKind } from '#contract/vocabulary/audit.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { currencyOfReading } from './eva-dts/money.ts'
import { scaleOf } from './eva-dts/scale.ts'
import type { Half } from './paid-sales.ts'

type Content = Pick<AuditContent, 'cash' | 'money'>

/** A reading with the kind of interval before it. */
export interface PiecesRead {
  content: Content
  kind: IntervalKind
}

/**
 * Pieces that went into box and stacker in one half of the counters, by value in minor units of the merchant's currency: all types of a
 * value together. Pieces without a value are left out.
 */
function boxedPieces({ cash, money }: Content, merchant: Currency, half: Half): Map<number, number> {
  const pieces = new Map<number, number>()
  if (currencyOfReading(money, merchant) !== merchant) return pieces
  const { convert } = scaleOf(money.digits, currencies[merchant].storageDigits)
  const add = (value: number | null, count: number | null) => {
    if (value && count !== null) pieces.set(convert(value), (pieces.get(convert(value)) ?? 0) + count)
  }
  for (const { value, toBox } of cash.coins) add(value, toBox[half])
  // Without recyclers all bills go to the stacker.
  const stacked = (toStacker: Counts, received: Counts) =>
    toStacker[half] ?? (cash.recyclerBills.length === 0 ? received[half] : null)
  for (const { value, toStacker, received } of cash.bills) add(value, stacked(toStacker, received))
  return pieces
}

/** Audits stored before the reader had types count only the last type of a value. */
const tellsTypes = ({ cash }: Content) => [...cash.coins, ...cash.bills].every(({ type }) => (type ?? null) !== null)

/** The pieces between two readings in a row; a denomination that either lacks, or whose counter fell, is left out. */
function piecesOfPair(before: Content, { content, kind }: PiecesRead, currency: Currency): Map<number, number> {
  if (tellsTypes(before) !== tellsTypes(content)) return new Map()
  const earlier = boxedPieces(before, currency, 'sinceInitialisation')
  const now = boxedPieces(content, currency, 'sinceInitialisation')
  const moved = [...now].flatMap(([value, count]): [number, number][] => {
    const from = earlier.get(value)
    return from === undefined || count < from ? [] : [[value, count - from]]
  })
  const sinceReset = kind === 'sinceReset' ? boxedPieces(content, currency, 'sinceReset') : []
  return new Map([...[...sinceReset].filter(([value]) => !now.has(value)), ...moved])
}

/**
 * The pieces between the first and last of a machine's readings (CA11 and CA14), by denomination. Without resets the two are compared;
 * counters that exist since the last reset alone are added up reading by reading. None if a counter restarted at an unknown time.
 */
export function piecesBetween(readings: readonly PiecesRead[], currency: Currency): Pieces[] {
  const [first, ...others] = readings
  const last = others.at(-1)
  if (!first || !last || others.some(({ kind }) => kind !== 'counted' && kind !== 'sinceReset')) return []
  const steps = others.every(({ kind }) => kind === 'counted') ? [first, last] : readings
  const pairs = steps.slice(1).map((now, index) => piecesOfPair((steps[index] ?? first).content, now, currency))
  const [start, ...rest] = pairs
  return [...(start ?? [])]
    .filter(([value]) => rest.every((pair) => pair.has(value)))
    .map(([value, count]) => ({ value, count: rest.reduce((sum, pair) => sum + (pair.get(value) ?? 0), count) }))
    .sort((one, other) => one.value - other.value)
}
