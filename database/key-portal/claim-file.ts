import { sql } from 'kysely'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom } from '../frame/redacted-name.ts'
import { answererOf, claimOrdering, claimsMatching } from './claim.ts'

/** Claims, filtered and sorted. Files name no customers, and never users that are hidden from merchants. */
export const claimsSource: ExportSource<'claims'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('claims', 'claims', {
    posName: sql`machine.name`,
    merchant: sql`merchants.name`,
    mediaSerial: sql`media.serial`,
    answeredBy: sql`visible.by`,
  }),
  open: async (db, order) => {
    const name = answererOf(await hiddenFrom(db, false))
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const matching = await claimsMatching(db, order.filter)
    return rowsOf(
      matching().innerJoinLateral(visible, (join) => join.onTrue()),
      claimOrdering(order),
    )
  },
}
