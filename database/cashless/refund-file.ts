import { sql } from 'kysely'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom } from '../frame/redacted-name.ts'
import { refunderOf, refundOrdering, refundsMatching } from './refund.ts'

/** Refunds, filtered and sorted. Files never contain users that are hidden from merchants. */
export const refundsSource: ExportSource<'refunds'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable(
    'refunds',
    'refunds',
    {
      merchant: sql`merchants.name`,
      mediaSerial: sql`media.serial`,
      machine: sql`machine.name`,
      createdBy: sql`visible.by`,
    },
    'refund',
  ),
  open: async (db, order) => {
    const name = refunderOf(await hiddenFrom(db, false))
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const matching = await refundsMatching(db, order.filter)
    return rowsOf(
      matching().innerJoinLateral(visible, (join) => join.onTrue()),
      refundOrdering(order),
    )
  },
}
