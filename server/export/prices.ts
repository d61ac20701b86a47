import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { pricesMatching } from '../api/stock/stock.ts'
import { machineOf } from '../http/refuse.ts'
import { given } from './given.ts'

type List = `list${keyof typeof priceTables}`
const lists = Object.keys(priceTables).map((number) => `list${number}` as List)
const ofLists = <T>(value: (list: List) => T) =>
  Object.fromEntries(lists.map((list) => [list, value(list)])) as Record<List, T>

/** What a machine asks for its selections, as filtered and sorted: a column to each price list. */
export const pricesSource = given<'prices', List | 'selection' | 'product' | 'isDiffering' | 'updatedAt'>({
  list: 'prices',
  fields: {
    selection: 'text',
    product: 'text',
    ...ofLists(() => 'bigint'),
    isDiffering: 'boolean',
    updatedAt: 'timestamptz',
  },
  values: {
    differing: sql`r."isDiffering"`,
  },
  rowsOf: async (db, { posId, filter, ord, ordType }) => {
    const machine = await machineOf(db, posId)
    const { matching } = await pricesMatching(db, machine, { ...filter, ord, ordType })
    return matching.map(({ prices, ...row }) => ({
      ...row,
      ...ofLists((id) => prices.find(({ priceTable }) => id === `list${priceTable}`)?.price ?? null),
      merchantId: machine.merchant_id,
      updatedAt: fromWire(row.updatedAt),
    }))
  },
})
