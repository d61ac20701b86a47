import { sql } from 'kysely'
import { figuresOf } from '../cash/collection-figures.ts'
import { collectionOrdering, collectionsMatching, collectionValues, slipReference } from '../cash/collection-list.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'

/** Cash collections, filtered and sorted. Files never contain users that are hidden from merchants. */
export const cashCollectionsSource: ExportSource<'cashCollections'> = {
  ...homeOf('merchants'),
  columns: columnsOf('cashCollections', {
    ...collectionValues,
    countedBy: sql`visible.counted_by`,
    closedBy: sql`visible.closed_by`,
    deposit: sql`visible.deposit`,
  }),
  open: async (db, order) => {
    const hidden = await hiddenFrom(db, false)
    const name = (who: 'counted' | 'closed') =>
      redactedName(sql.ref(`c.${who}_by`), sql.ref(`c.${who}_by_name`), hidden)
    const visible =
      sql<object>`(select ${name('counted')} as counted_by, ${name('closed')} as closed_by, ${slipReference(db)} as deposit)`.as(
        'visible',
      )
    const query = (await collectionsMatching(db, order.filter))()
    return rowsOf(
      query
        .innerJoinLateral(figuresOf(db).as('known'), (join) => join.onTrue())
        .innerJoinLateral(visible, (join) => join.onTrue()),
      collectionOrdering(order),
    )
  },
}
