import type { StockType } from '#contract/vocabulary/stock.ts'
import type { CopyValue } from '#database/platform/copy-line.ts'
import type { StockLevel } from '#domain/stock/stock.ts'
import { levelsOf, pricesOf } from '#simulator/stock-report.ts'
import { type plannedMachines, wantedPart } from '../catalogue/catalogue.ts'
import type { MachinePast } from '../history/write-history.ts'

type KnownPast = Pick<MachinePast, 'machine' | 'memory'>

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** The portal's stock levels of a machine at the end of its history. */
export const stockLevelsOf = ({
  machine,
  memory,
}: KnownPast): (StockLevel & { refilledAt: number | null; product: string | null; stockType: StockType | null })[] =>
  levelsOf(machine.plan, memory).map(
    ({ capacity = null, warningLevel = null, product = null, stockType = null, ...level }) => ({
      ...level,
      capacity,
      warningLevel,
      product,
      stockType,
    }),
  )

/** Stock and prices of the machines at their last contact, as rows. The live machines continue with later numbers. */
export function waresOf(
  { pasts, until }: { pasts: readonly MachinePast[]; until: number },
  wantedOf: ReturnType<typeof plannedMachines>['wantedOf'],
) {
  const headOf = ({ machine, memory, lastSeenAt }: MachinePast) => ({
    merchant_id: machine.merchant.id,
    machine_id: machine.id,
    gone: false,
    // Before the end of the history: visits of the end come after the last reports, which open the books.
    at: iso(Math.min(until - 1, lastSeenAt)),
    epoch: machine.plan.epoch,
    seq: memory.seq,
  })
  const stock = pasts.flatMap((past) =>
    stockLevelsOf(past).map(
      (level): Record<string, CopyValue> => ({
        ...headOf(past),
        selection: level.selection,
        product: level.product,
        level: level.level,
        capacity: level.capacity,
        warning_level: level.warningLevel,
        refilled_at: iso(level.refilledAt),
        stock_type: level.stockType,
        reported: level.level,
        reported_capacity: level.capacity,
        reported_warning: level.warningLevel,
      }),
    ),
  )
  const prices = pasts.flatMap((past) =>
    pricesOf(past.machine.plan).map(
      ({ priceTable, selection, price, product }): Record<string, CopyValue> => ({
        ...headOf(past),
        selection,
        price_table: priceTable,
        product,
        price,
        ...wantedPart(wantedOf, past.machine.id, selection, priceTable, price),
      }),
    ),
  )
  return [
    { table: 'machine_stock', rows: stock },
    { table: 'machine_prices', rows: prices },
  ]
}
