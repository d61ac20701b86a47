import { sql } from 'kysely'
import type { TablePrice } from '#contract/catalogue/price.ts'
import { fromWire } from '#contract/frame/instant.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import { exportValues } from '../../export/given.ts'
import { machineOf } from '../../http/refuse.ts'
import { pricesMatching } from './price.ts'

type List = `list${(typeof priceTables)[keyof typeof priceTables]}`
const lists = Object.values(priceTables).map((number): List => `list${number}`)
const ofLists = <T>(value: (list: List) => T) =>
  Object.fromEntries(lists.map((list) => [list, value(list)])) as Record<List, T>

/** The wanted price, otherwise the price that the machine has. */
const shownIn = (price: TablePrice | undefined) =>
  price?.wanted ?? price?.reported?.price ?? price?.audited?.price ?? null

/** A machine's prices by selection, filtered and sorted, with one column per price list. */
export const pricesSource = exportValues<
  'prices',
  List | 'selection' | 'product' | 'sync' | 'isDiffering' | 'updatedAt'
>({
  list: 'prices',
  fields: {
    selection: 'text',
    product: 'text',
    ...ofLists(() => 'bigint'),
    sync: 'text',
    isDiffering: 'boolean',
    updatedAt: 'timestamptz',
  },
  values: {
    differing: sql`r."isDiffering"`,
  },
  rowsOf: async (db, { posId, filter, ord, ordType }) => {
    const machine = await machineOf(db, posId)
    const { matching } = await pricesMatching(db, machine.id, { ...filter, ord, ordType })
    return matching.map(({ prices, ...row }) => ({
      ...row,
      ...ofLists((id) => shownIn(prices.find(({ priceTable }) => id === `list${priceTable}`))),
      merchantId: machine.merchant_id,
      updatedAt: row.updatedAt && fromWire(row.updatedAt),
    }))
  },
})
