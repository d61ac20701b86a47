import { mediaSources, mediaTypes, transactionTypes } from '#contract/vocabulary/transaction.ts'
import type { NewItem } from '../journal/items.ts'
import type { MdbSettings } from './mdb-settings.ts'

export type PaidBy = 'cash' | 'cashless1' | 'cashless2'

/** A vend that was heard on the bus. */
export interface MdbVend {
  paidBy: PaidBy
  /** The machine's number of the selection; null where it has none. */
  item: number | null
  /** In minor units of the currency; null if it was missed or is no whole number of them. */
  price: number | null
  isFailed: boolean
}

const largestLine = 9999

/** An amount of the bus in minor units of the currency; null if they cannot express it. */
export function minorUnits(amount: number, unit: { scale: number; decimals: number }, digits: number): number | null {
  const scaled = amount * unit.scale
  const shift = 10 ** Math.abs(digits - unit.decimals)
  if (digits >= unit.decimals) return scaled * shift
  return scaled % shift === 0 ? scaled / shift : null
}

/** The event of a vend that was heard without its price: it is no sale, but must not be lost. */
export const unpricedVend = 'AGENT_MDB_PRICE'

/**
 * The item that reports a vend, as a machine would send it. A failed vend has the value 0: its reader gives the money back. `source` names the
 * vend where its sender may send it again.
 */
export function itemOf(vend: MdbVend, at: number, { medium }: Pick<MdbSettings, 'medium'>, source?: string): NewItem {
  const { paidBy, item, price, isFailed } = vend
  const named = source === undefined ? {} : { source }
  if (price === null && !isFailed) {
    const detail = `${paidBy}, selection ${item ?? 'unknown'}`
    return {
      kind: 'event',
      at,
      code: unpricedVend,
      active: true,
      message: 'A vend was heard without its price',
      detail,
      ...named,
    }
  }
  const isCash = paidBy === 'cash'
  return {
    kind: 'sale',
    at,
    type: transactionTypes.sale,
    mediaType: isCash ? mediaTypes.cash : mediaTypes[medium],
    mediaSource: isCash ? mediaSources.unknown : mediaSources[paidBy],
    ...(item !== null && item <= largestLine && { priceLine: item }),
    value: isFailed ? 0 : (price ?? 0),
    ...(isFailed && { errorSale: true }),
    ...named,
  }
}
