import { toWire } from '#contract/frame/instant.ts'
import type {
  PriceFilters,
  PriceRow,
  priceOrds,
  StockFilters,
  StockRow,
  stock,
  stockOrds,
} from '#contract/stock/stock.ts'
import { stockStatuses } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { offsetOf } from '#database/frame/paging.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type PriceRecord, pricesOf, type StockRecord, stockOf } from '#database/stock/stock.ts'
import { bySelection, stockStatusOf, warningLevelOf } from '#domain/stock/stock.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'

/** What is known of its levels, under the names of the domain. */
const levelOf = ({ level, capacity, warning_level: warningLevel }: StockRecord) => ({ level, capacity, warningLevel })

const presentStock = (row: StockRecord): StockRow => ({
  selection: row.selection,
  product: row.product,
  stockType: row.stock_type as StockRow['stockType'],
  level: row.level,
  capacity: row.capacity,
  warningLevel: warningLevelOf(levelOf(row)),
  status: stockStatusOf(levelOf(row)),
  refilledAt: row.refilled_at && toWire(row.refilled_at),
  updatedAt: toWire(row.at),
})

/** One row of a selection for all of its lists. */
function presentPrices(selection: string, records: readonly PriceRecord[], currency: Currency): PriceRow {
  const inOrder = records.toSorted((one, other) => one.priceTable - other.priceTable)
  return {
    selection,
    product: inOrder.find(({ product }) => product !== null)?.product ?? null,
    currency,
    prices: inOrder.map(({ priceTable, price }) => ({ priceTable, price })),
    isDiffering: new Set(inOrder.map(({ price }) => price)).size > 1,
    updatedAt: toWire(new Date(Math.max(...inOrder.map(({ at }) => at.getTime())))),
  }
}

const matches = (search: string | undefined, { selection, product }: { selection: string; product: string | null }) =>
  search === undefined || `${selection} ${product ?? ''}`.toLowerCase().includes(search.toLowerCase())

/** Sorts by a value, then in the machine's order of selections; missing values come last in both directions. */
function inOrderOf<Row extends { selection: string }>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null,
  isDescending: boolean,
): Row[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)]
    if (a === b) return bySelection(one.selection, other.selection)
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -sign : sign
  })
}

const isDescending = ({ ordType }: { ordType?: 'ASC' | 'DESC' | undefined }) => ordType === 'DESC'

/** The share that is left of a selection orders levels; of one without capacity its pieces. */
const valueOf = (row: StockRow, ord: (typeof stockOrds)[number]) =>
  ord === 'level' && row.capacity !== null ? row.level / row.capacity : row[ord]

/** A page of what was put in order here: a machine has a few dozen selections. */
const pageIn = <Row>(rows: readonly Row[], query: { page: number; size: number }) => {
  const from = offsetOf(query)
  return { items: rows.slice(from, from + query.size), total: rows.length, capped: false }
}

/** Orders selections as in the machine, not alphabetically. */
const ordered = <Row extends { selection: string }>(
  rows: readonly Row[],
  ord: string,
  query: { ordType?: 'ASC' | 'DESC' | undefined },
  value: (row: Row) => string | number | null,
) => {
  if (ord !== 'selection') return inOrderOf(rows, value, isDescending(query))
  const sorted = rows.toSorted((one, other) => bySelection(one.selection, other.selection))
  return isDescending(query) ? sorted.reverse() : sorted
}

interface Sorted<Ord> {
  ord?: Ord | undefined
  ordType?: 'ASC' | 'DESC' | undefined
}

/** What is left in a machine, and of that what matches, in order. */
export async function stockMatching(
  db: TenantDb,
  posId: string,
  query: StockFilters & Sorted<(typeof stockOrds)[number]>,
) {
  const { search, statuses, stockTypes, ord = 'status' } = query
  const all = (await stockOf(db, posId)).map(presentStock)
  const matching = all
    .filter(({ status }) => !statuses?.length || statuses.includes(status))
    .filter(({ stockType }) => !stockTypes?.length || (stockType !== null && stockTypes.includes(stockType)))
    .filter((row) => matches(search, row))
  return { all, matching: ordered(matching, ord, query, (row) => valueOf(row, ord)) }
}

/** What a machine asks, and of that what matches, in order; with its price lists. */
export async function pricesMatching(
  db: TenantDb,
  machine: { id: string; currency: string },
  query: PriceFilters & Sorted<(typeof priceOrds)[number]>,
) {
  const { search, differing, ord = 'selection' } = query
  const records = await pricesOf(db, machine.id)
  const all = [...Map.groupBy(records, ({ selection }) => selection)].map(([selection, own]) =>
    presentPrices(selection, own, machine.currency as Currency),
  )
  const matching = all
    .filter(({ isDiffering }) => differing === undefined || isDiffering === differing)
    .filter((row) => matches(search, row))
  const lists = [...new Set(records.map(({ priceTable }) => priceTable))].sort((one, other) => one - other)
  return { all, matching: ordered(matching, ord, query, (row) => row[ord]), lists }
}

export const stockHandlers: Handlers<typeof stock> = {
  listStock: async ({ db, params, query }) => {
    const { all, matching } = await stockMatching(db, params.posId, query)
    const count = (status: number) => all.filter((row) => row.status === status).length
    return {
      ...pageIn(matching, query),
      summary: {
        out: count(stockStatuses.out),
        low: count(stockStatuses.low),
        inStock: count(stockStatuses.inStock),
      },
    }
  },

  listPrices: async ({ db, params, query }) => {
    const { all, matching, lists } = await pricesMatching(db, await machineOf(db, params.posId), query)
    return {
      ...pageIn(matching, query),
      priceTables: lists,
      differing: all.filter(({ isDiffering }) => isDiffering).length,
    }
  },
}
