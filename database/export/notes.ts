import { sql } from 'kysely'
import { columnsOfTable } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import { noteOrdering, notesOf } from '../machines/note.ts'

/** The notes on a machine, by time. Files may be passed on, so they never contain users that are hidden from merchants. */
export const notesSource: ExportSource<'notes'> = {
  ...homeOf('merchants'),
  columns: columnsOfTable('notes', 'notes', {
    at: sql`notes.created_at`,
    by: sql`visible.by`,
  }),
  open: async (db, order) => {
    const name = redactedName(sql`notes.created_by`, sql`notes.created_by_name`, await hiddenFrom(db, false))
    const visible = sql<{ by: string | null }>`(select ${name} as by)`.as('visible')
    const query = notesOf(db, order.posId, order.filter).innerJoin('merchants', 'merchants.id', 'notes.merchant_id')
    return rowsOf(
      query.innerJoinLateral(visible, (join) => join.onTrue()),
      noteOrdering(order),
    )
  },
}
