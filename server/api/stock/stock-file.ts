import { fromWire } from '#contract/frame/instant.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { exportValues } from '../../export/given.ts'
import { machineOf } from '../../http/refuse.ts'
import { stockMatching } from './stock.ts'

const statusNames = Object.fromEntries(Object.entries(stockStatuses).map(([name, status]) => [status, name]))

const typeNames = Object.fromEntries(Object.entries(stockTypes).map(([name, type]) => [type, name]))

/** A machine's stock levels, filtered and sorted. */
export const stockSource = exportValues<
  'stock',
  | 'selection'
  | 'product'
  | 'stockType'
  | 'level'
  | 'capacity'
  | 'status'
  | 'warningLevel'
  | 'usualPerDay'
  | 'daysUntilEmpty'
  | 'refilledAt'
  | 'updatedAt'
>({
  list: 'stock',
  fields: {
    selection: 'text',
    product: 'text',
    stockType: 'text',
    level: 'bigint',
    capacity: 'bigint',
    status: 'text',
    warningLevel: 'bigint',
    usualPerDay: 'numeric',
    daysUntilEmpty: 'numeric',
    refilledAt: 'timestamptz',
    updatedAt: 'timestamptz',
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
