import { type RawBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/frame/export.ts'
import type { ExportFact, ExportList } from '#contract/frame/export-lists.ts'
import { columnsOf } from '#database/export/columns.ts'
import { type ExportReader, type ExportSource, fieldsOf, homeOf, onlyZone } from '#database/export/source.ts'
import type { Scope, TenantDb } from '#database/frame/tenant.ts'

/** What a field of a row holds, as the database calls it. */
type FieldType = 'text' | 'text[]' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz'

/**
 * A list that the server itself filters and sorts, since it has a few hundred rows at most. As a file its rows, `r`, go through the
 * database like those of all others, so that they are written in the same way.
 */
type Given<L extends ExportList, Row> = {
  list: L
  fields: Readonly<Record<Exclude<keyof Row & string, 'merchantId'>, FieldType>>
  rowsOf(db: TenantDb, order: ExportOrderOf<L>, reader: ExportReader): Promise<readonly Row[]>
  /** Facts of the list that are no field of their name. */
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

/** One whose rows each name their merchant. */
export const given = <L extends ExportList, Field extends string>(
  list: Given<L, Record<Field, unknown> & { merchantId: string }>,
): ExportSource<L> => sourceOf(list, () => sql`merchants on merchants.id = r."merchantId"`)

/** One that is the same for all merchants. */
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
