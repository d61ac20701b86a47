import { sql } from 'kysely'
import { fromWire } from '#contract/frame/instant.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { stockMatching } from '../api/stock/stock.ts'
import { machineOf } from '../http/refuse.ts'
import { given } from './given.ts'

const statusNames = Object.fromEntries(Object.entries(stockStatuses).map(([name, status]) => [status, name]))

const typeNames = Object.fromEntries(Object.entries(stockTypes).map(([name, type]) => [type, name]))

/** What is left in a machine, as filtered and sorted. */
export const stockSource = given<
  'stock',
  'selection' | 'product' | 'stockType' | 'level' | 'capacity' | 'status' | 'warningLevel' | 'refilledAt' | 'updatedAt'
>({
  fields: {
    selection: 'text',
    product: 'text',
    stockType: 'text',
    level: 'bigint',
    capacity: 'bigint',
    status: 'text',
    warningLevel: 'bigint',
    refilledAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
  columns: {
    selection: { selection: { heading: 'stock:column.selection', kind: 'text', sql: sql`r.selection` } },
    product: { product: { heading: 'stock:column.product', kind: 'text', sql: sql`r.product` } },
    stockType: {
      stockType: { heading: 'stock:column.stockType', kind: 'word', of: 'stockType', sql: sql`r."stockType"` },
    },
    level: {
      level: { heading: 'stock:column.level', kind: 'number', sql: sql`r.level` },
      capacity: { heading: 'export:column.capacity', kind: 'number', sql: sql`r.capacity` },
    },
    status: { status: { heading: 'stock:column.status', kind: 'word', of: 'stockStatus', sql: sql`r.status` } },
    warningLevel: {
      warningLevel: { heading: 'stock:column.warningLevel', kind: 'number', sql: sql`r."warningLevel"` },
    },
    refilledAt: { refilledAt: { heading: 'stock:column.refilledAt', kind: 'instant', sql: sql`r."refilledAt"` } },
    updatedAt: { updatedAt: { heading: 'stock:column.updatedAt', kind: 'instant', sql: sql`r."updatedAt"` } },
  },
  rowsOf: async (db, { posId, filter, ord, ordType }) => {
    const { merchant_id: merchantId } = await machineOf(db, posId)
    const { matching } = await stockMatching(db, posId, { ...filter, ord, ordType })
    return matching.map((row) => ({
      ...row,
      merchantId,
      status: statusNames[row.status],
      stockType: row.stockType && typeNames[row.stockType],
      refilledAt: row.refilledAt && fromWire(row.refilledAt),
      updatedAt: fromWire(row.updatedAt),
    }))
  },
})
