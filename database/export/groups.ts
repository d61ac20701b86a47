import { sql } from 'kysely'
import { groupsMatching, machineCount } from '../merchants/group.ts'
import { type ExportSource, homeOf, rowsOf } from './source.ts'

/** Groups, as searched for and sorted. */
export const groupsSource: ExportSource<'groups'> = {
  ...homeOf('merchants'),
  columns: {
    name: { name: { heading: 'group:name', kind: 'text', sql: sql`groups.name` } },
    merchant: { merchant: { heading: 'group:column.merchant', kind: 'text', sql: sql`merchants.name` } },
    machines: { machines: { heading: 'group:column.machines', kind: 'number', sql: machineCount } },
    id: { id: { heading: 'group:column.id', kind: 'plain', sql: sql`groups.id` } },
  },
  open: async (db, order) => {
    const { query } = await groupsMatching(db, order.filter)
    const direction = sql.raw(order.ordType === 'DESC' ? 'desc' : 'asc')
    return rowsOf(
      query().innerJoin('merchants', 'merchants.id', 'groups.merchant_id'),
      sql`lower(groups.name) ${direction}, groups.id ${direction}`,
    )
  },
}
