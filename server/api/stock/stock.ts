import { toWire } from '#contract/frame/instant.ts'
import type { StockFilters, StockRow, stock, stockOrds } from '#contract/stock/stock.ts'
import { type StockCounter, stockStatuses } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { outlookOf } from '#database/stock/forecast/outlook.ts'
import { type WaitingRefill, waitingRefills } from '#database/stock/refill.ts'
import { type StockRecord, stockOf } from '#database/stock/stock.ts'
import { dayMomentOf } from '#database/stock/supply.ts'
import { stockStatusOf, warningLevelOf } from '#domain/stock/stock.ts'
import { dailyOf, daysUntilEmpty, lostPerDay } from '#domain/stock/supply.ts'
import type { Handlers } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { isFound, pageIn, sortedRows, totalsIn } from '#server/http/short-list.ts'

/** A level with the names of the domain. */
const levelOf = ({ level, capacity, warning_level: warningLevel }: StockRecord) => ({ level, capacity, warningLevel })

const presentStock = (row: StockRecord, waiting: readonly WaitingRefill[], now: Date): StockRow => ({
  selection: row.selection,
  product: row.product_name ?? row.product,
  sentProduct: row.product,
  stockType: row.stock_type as StockRow['stockType'],
  level: row.level,
  capacity: row.capacity,
  warningLevel: warningLevelOf(levelOf(row)),
  status: stockStatusOf(levelOf(row)),
  refilledAt: row.refilled_at && toWire(row.refilled_at),
  updatedAt: toWire(row.at),
  currency: row.currency as Currency,
  reportedAt: row.reported === null ? null : toWire(row.reported_at),
  difference: row.manage_stock && row.differs ? row.difference : null,
  waiting: waiting.filter(({ selection }) => selection === row.selection).reduce((sum, { loaded }) => sum + loaded, 0),
  ...bookedOf(row, now),
})

/** What only the books of a managed machine say. */
function bookedOf(row: StockRecord, now: Date) {
  const { reported, refill_value: refillValue } = row
  if (!row.manage_stock)
    return { balance: null, reported, refillValue, usualPerDay: null, daysUntilEmpty: null, lostPerDay: 0 }
  const { level, usual, price, balance } = row
  const outlook = outlookOf(row)
  const moment = dayMomentOf(now, row.time_zone)
  const days = daysUntilEmpty(level, outlook, moment)
  return {
    balance,
    reported,
    refillValue,
    usualPerDay: usual && Math.round(dailyOf(usual) * 10) / 10,
    daysUntilEmpty: days === null ? null : Math.round(days * 10) / 10,
    lostPerDay: lostPerDay({ level, outlook, price }, moment),
  }
}

/** The share that is left of a selection orders levels; of one without capacity its pieces. */
const valueOf = (row: StockRow, ord: (typeof stockOrds)[number]) =>
  ord === 'level' && row.capacity !== null ? row.level / row.capacity : row[ord]

/** What is left in a machine, and of that what matches, in order. */
export async function stockMatching(
  db: TenantDb,
  posId: string,
  query: StockFilters & Sorted<(typeof stockOrds)[number]>,
  now = new Date(),
) {
  const { search, statuses, stockTypes, ord = 'status' } = query
  const waiting = await waitingRefills(db, [posId])
  const all = (await stockOf(db, posId)).map((row) => presentStock(row, waiting, now))
  const matching = all
    .filter(({ status }) => !statuses?.length || statuses.includes(status))
    .filter(({ stockType }) => !stockTypes?.length || (stockType !== null && stockTypes.includes(stockType)))
    .filter((row) => isFound(search, row))
  return { all, waiting, matching: sortedRows(matching, ord, query, (row) => valueOf(row, ord)) }
}

export const stockHandlers: Handlers<typeof stock> = {
  listStock: async (call) => {
    const { db, params, query, now } = call
    const { manage_stock: isManaged, stock_counted_by: countedBy } = await machineOf(db, params.posId)
    const { all, waiting, matching } = await stockMatching(db, params.posId, query, now)
    const count = (status: number) => all.filter((row) => row.status === status).length
    return {
      ...pageIn(matching, query),
      totals: totalsIn(matching, ['level', 'capacity']),
      isManaged,
      countedBy: countedBy as StockCounter,
      differing: all.filter(({ difference }) => difference !== null).length,
      waiting: (await withShownNames(call, waiting, 'userId', 'userName')).map((line) => ({
        id: line.id,
        selection: line.selection,
        at: toWire(line.at),
        by: line.userName,
        counted: line.counted,
        waste: line.waste,
        loaded: line.loaded,
      })),
      summary: {
        out: count(stockStatuses.out),
        low: count(stockStatuses.low),
        inStock: count(stockStatuses.inStock),
      },
    }
  },
}
