import type { PricesItem, StockItem } from '#contract/device-protocol.ts'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { MachineMemory } from './memory.ts'
import type { MachinePlan, Tender } from './plan.ts'
import { tenders } from './plan.ts'

/** A level as the works know it; `refilledAt` is true time, not the machine's clock. */
export type Level = Omit<StockItem['levels'][number], 'refilledAt' | 'gone'> & { refilledAt: number | null }
export type Price = Omit<PricesItem['prices'][number], 'gone'>

/** By which price list a tender is charged; the numbers are those of the contract's vocabulary. */
export const priceTableOf = {
  coins: 1,
  bills: 8,
  token: 1,
  key: 2,
  mifare: 3,
  card: 6,
  creditCard: 7,
  app: 7,
} as const satisfies Record<Tender, number>

/** Price lists of keys: what is paid with them costs less. */
export const isOfKeys = (table: number) => table >= 2 && table <= 5

/**
 * Levels of some selections, by their places in the plan; of all by default. Spirals have a warning level of their
 * own.
 */
export function levelsOf(
  plan: MachinePlan,
  memory: MachineMemory,
  places: Iterable<number> = plan.selections.keys(),
): Level[] {
  const levels = [...places].flatMap((place) => {
    const selection = plan.selections[place]
    if (!selection) return []
    const { line, product, capacity } = selection
    const level = Math.max(0, memory.stock[place] ?? 0)
    const own =
      plan.kind === 'hot' ? {} : { warningLevel: Math.ceil(capacity / 4), stockType: stockTypes.coldByPriceLine }
    return {
      selection: String(line),
      level,
      capacity,
      ...own,
      refilledAt: memory.doorAt ?? null,
      product,
    }
  })
  return plan.kind === 'hot' && levels.length > 0 ? [...levels, hotTotalOf(plan, memory)] : levels
}

/** The total of hot drinks left. */
function hotTotalOf({ selections }: MachinePlan, memory: MachineMemory): Level {
  const level = memory.stock.reduce((sum, left) => sum + Math.max(0, left), 0)
  const capacity = selections.reduce((sum, selection) => sum + selection.capacity, 0)
  return { selection: 'HOT', level, capacity, refilledAt: memory.doorAt ?? null, stockType: stockTypes.hotTotal }
}

/** What everything costs, by each list that the machine has a reader for. */
export function pricesOf(plan: MachinePlan): Price[] {
  const lists = new Set(
    tenders.filter((_, index) => (plan.payments[index] ?? 0) > 0).map((tender) => priceTableOf[tender]),
  )
  return [...lists].sort().flatMap((priceTable) =>
    plan.selections.map(({ line, product, price, keyPrice }) => ({
      priceTable,
      selection: String(line),
      price: isOfKeys(priceTable) ? keyPrice : price,
      product,
    })),
  )
}
