import type { PricesItem, StockItem } from '#contract/device-protocol.ts'
import { stockTypes } from '#contract/vocabulary/stock.ts'
import type { MachineMemory } from './memory.ts'
import type { MachinePlan, Tender } from './plan.ts'
import { priceIn, tenders } from './plan.ts'

/** A level of the works. `refilledAt` is true time, not the machine's clock. */
export type Level = Omit<StockItem['levels'][number], 'refilledAt' | 'gone'> & { refilledAt: number | null }
export type Price = Omit<PricesItem['prices'][number], 'gone'>

/** The price list of each tender; the numbers are those of the contract's vocabulary. */
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

/** Levels of some selections, by their positions in the plan; by default of all. Spirals have their own warning level. */
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
    const levelFacts =
      plan.kind === 'hot' ? {} : { warningLevel: Math.ceil(capacity / 4), stockType: stockTypes.coldByPriceLine }
    return {
      selection: String(line),
      level,
      capacity,
      ...levelFacts,
      refilledAt: memory.doorAt ?? null,
      product,
    }
  })
  return plan.kind === 'hot' && levels.length > 0 ? [...levels, hotTotalOf(plan, memory)] : levels
}

/** The remaining total of hot drinks. */
function hotTotalOf({ selections }: MachinePlan, memory: MachineMemory): Level {
  const level = memory.stock.reduce((sum, left) => sum + Math.max(0, left), 0)
  const capacity = selections.reduce((sum, selection) => sum + selection.capacity, 0)
  return { selection: 'HOT', level, capacity, refilledAt: memory.doorAt ?? null, stockType: stockTypes.hotTotal }
}

/** The price tables of the readers that a machine has. */
export const priceTablesOf = (plan: MachinePlan): number[] => [
  ...new Set(tenders.filter((_, index) => (plan.payments[index] ?? 0) > 0).map((tender) => priceTableOf[tender])),
]

/** All prices, in all price tables. */
export const pricesOf = (plan: MachinePlan): Price[] =>
  priceTables.flatMap((priceTable) =>
    plan.selections.map((selection) => ({
      priceTable,
      selection: String(selection.line),
      price: priceIn(selection, priceTable),
      product: selection.product,
    })),
  )

const priceTables = [1, 2, 3, 4, 5, 6, 7, 8] as const
