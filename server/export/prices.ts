import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { FileColumn } from '#database/export/column.ts'
import { pricesMatching } from '../api/stock/stock.ts'
import { machineOf } from '../http/refuse.ts'
import { given } from './given.ts'

type List = `list${keyof typeof priceTables}`
const lists = Object.entries(priceTables).map(([number, name]) => ({ id: `list${number}` as List, name }))
const ofLists = <T>(value: (list: { id: List; name: string }) => T) =>
  Object.fromEntries(lists.map((list) => [list.id, value(list)])) as Record<List, T>

/** What a machine asks for its selections, as filtered and sorted: a column to each price list. */
export const pricesSource = given<'prices', List | 'selection' | 'product' | 'isDiffering' | 'updatedAt'>({
  fields: {
    selection: 'text',
    product: 'text',
    ...ofLists(() => 'bigint'),
    isDiffering: 'boolean',
    updatedAt: 'timestamptz',
  },
  columns: {
    selection: { selection: { heading: 'stock:column.selection', kind: 'text', sql: sql`r.selection` } },
    product: { product: { heading: 'stock:column.product', kind: 'text', sql: sql`r.product` } },
    ...ofLists(
      ({ id, name }): Record<string, FileColumn> => ({
        [id]: { heading: `vocabulary:priceTable.${name}`, kind: 'amount', sql: sql.ref(`r.${id}`) },
      }),
    ),
    differing: { differing: { heading: 'stock:differing.yes', kind: 'flag', sql: sql`r."isDiffering"` } },
    updatedAt: { updatedAt: { heading: 'stock:column.updatedAt', kind: 'instant', sql: sql`r."updatedAt"` } },
  },
  rowsOf: async (db, { posId, filter, ord, ordType }) => {
    const machine = await machineOf(db, posId)
    const { matching } = await pricesMatching(db, machine, { ...filter, ord, ordType })
    return matching.map(({ prices, ...row }) => ({
      ...row,
      ...ofLists(({ id }) => prices.find(({ priceTable }) => id === `list${priceTable}`)?.price ?? null),
      merchantId: machine.merchant_id,
      updatedAt: fromWire(row.updatedAt),
    }))
  },
})
