import { sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export.ts'
import type { ExportList } from '#contract/export-lists.ts'
import { type ExportReader, type ExportSource, fieldsOf, homeOf } from '#database/export/source.ts'
import type { TenantDb } from '#database/tenant.ts'

/** What a field of a row holds, as the database calls it. */
type FieldType = 'text' | 'bigint' | 'boolean' | 'timestamptz'

/**
 * A list that the server itself filters and sorts, since it has a few hundred rows at most. As a file its rows, `r`, go through the
 * database like those of all others, so that they are written in the same way.
 */
interface Given<L extends ExportList, Field extends string> {
  columns: ExportSource<L>['columns']
  /** Of each row, beside `merchantId`. */
  fields: Readonly<Record<Field, FieldType>>
  rowsOf(
    db: TenantDb,
    order: ExportOrderOf<L>,
    reader: ExportReader,
  ): Promise<readonly (Record<Field, unknown> & { merchantId: string })[]>
}

export const given = <L extends ExportList, Field extends string>(list: Given<L, Field>): ExportSource<L> => ({
  ...homeOf('merchants'),
  columns: list.columns,
  open: async (db, order, reader) => {
    const rows = (await list.rowsOf(db, order, reader)).map((row, place) => ({ ...row, place }))
    const fields = { ...list.fields, merchantId: 'uuid', place: 'int' }
    const shape = Object.entries(fields).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return {
      select: (what, limit) => sql`
        select ${fieldsOf(what)}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${sql.join(shape)})
        join merchants on merchants.id = r."merchantId"
        order by r.place ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select ${rows.length}::bigint as n`,
    }
  },
})
