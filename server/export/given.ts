import { type RawBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export/export.ts'
import type { ExportFact, ExportList } from '#contract/export/export-lists.ts'
import { columnsOf } from '#database/frame/export/columns.ts'
import { type ExportReader, type ExportSource, fieldsOf, homeOf, onlyZone } from '#database/frame/export/source.ts'
import type { Scope, TenantDb } from '#database/frame/tenant.ts'

/** The database type of a field. */
type FieldType = 'text' | 'text[]' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz'

/**
 * A list that the server filters and sorts, since it has a few hundred rows at most. Its rows, `r`, still pass through the
 * database, so that all files are written in the same way.
 */
type Given<L extends ExportList, Row> = {
  list: L
  fields: Readonly<Record<Exclude<keyof Row & string, 'merchantId'>, FieldType>>
  rowsOf(db: TenantDb, order: ExportOrderOf<L>, reader: ExportReader): Promise<readonly Row[]>
  /** Facts of the list that are not fields of the same name. */
} & Values<Exclude<ExportFact<L>, keyof Row>>
type Values<Name extends string> = [Name] extends [never]
  ? { values?: undefined }
  : { values: Readonly<Record<Name, RawBuilder<unknown>>> }

const sourceOf = <L extends ExportList, Row>(
  { list, fields, rowsOf, values }: Given<L, Row>,
  merchantsOf: (scope: Scope) => RawBuilder<unknown>,
): ExportSource<L> => ({
  ...homeOf('merchants'),
  columns: columnsOf(list, {
    ...Object.fromEntries(Object.keys(fields).map((name) => [name, sql.ref(`r.${name}`)])),
    ...values,
  } as Record<ExportFact<L>, RawBuilder<unknown>>),
  open: async (db, order, reader) => {
    const rows = (await rowsOf(db, order, reader)).map((row, place) => ({ ...row, place }))
    const shape = Object.entries<string>({ ...fields, merchantId: 'uuid', place: 'int' })
    return {
      select: (what, limit) => sql`
        select ${fieldsOf(what)}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as r (${sql.join(shape.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})
        join ${merchantsOf(db.scope)}
        order by r.place ${limit === undefined ? sql`` : sql`limit ${limit}`}`,
      count: sql<{ n: number }>`select ${rows.length}::bigint as n`,
    }
  },
})

/** A list whose rows each name their merchant. */
export const exportValues = <L extends ExportList, Field extends string>(
  list: Given<L, Record<Field, unknown> & { merchantId: string }>,
): ExportSource<L> => sourceOf(list, () => sql`merchants on merchants.id = r."merchantId"`)

/** A list that is the same for all merchants. */
export const givenForAll = <L extends ExportList, Field extends string>(
  list: Given<L, Record<Field, unknown>>,
): ExportSource<L> => ({
  ...sourceOf(
    list,
    (scope) => sql`(select ''::text as name, ''::text as currency, coalesce(${onlyZone(scope)}, 'UTC') as time_zone)
      as merchants on true`,
  ),
  merchant: null,
})
