import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { type ExportFact, type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { type ListColumns, shownFactOf } from '#contract/frame/list-columns.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { columnsOfRecords } from './export/columns.ts'
import { type ExportSource, homeOf, rowsOf } from './export/source.ts'
import { type Counted, directed, type Page, pageByIds, type Sorted, totalsOf } from './list.ts'
import type { RecordTable } from './records.ts'
import { camel, snake } from './row.ts'
import type { DB } from './schema.gen.ts'
import type { TenantDb } from './tenant.ts'
import { type SearchableTable, searching } from './text-search.ts'

type Lists = typeof exportLists
type Ord<L extends ExportList> = Lists[L]['ords'][number]
type Filters<L extends ExportList> = z.output<Lists[L]['filters']>
type Beside = Readonly<Record<string, (db: TenantDb) => RawBuilder<unknown>>>

type OwnOrder = RawBuilder<unknown> | ((db: TenantDb, ordType: 'ASC' | 'DESC') => RawBuilder<unknown>)

interface Declared<L extends ExportList, T extends SearchableTable, B extends Beside> {
  /** The list in `exportLists` with the columns, filters and orders of these rows. */
  list: L
  table: T
  /** SQL of an order that is neither a column nor a further field, or not compared without case; by direction if indexes need it. */
  orders?: { readonly [O in Ord<L>]?: OwnOrder }
  /** Orders in which every row has a value, for their indexes. */
  full?: readonly Ord<L>[]
  /** Conditions of the filters, beside the search. */
  where?: (db: TenantDb, filters: Filters<L>) => readonly RawBuilder<boolean>[]
  /** The columns that add up, and the column with the currency of amounts. */
  sums?: { of: readonly Ord<L>[]; currency?: RawBuilder<unknown> }
  /** Further fields of a row, beside its columns and its merchant's name and zone. */
  beside?: B
  /** SQL of facts that a file writes differently from their columns. */
  file?: { readonly [F in ExportFact<L>]?: RawBuilder<unknown> }
}

/** A row with its further fields. */
export type ListedRecord<T extends RecordTable, B extends Beside> = Selectable<DB[T]> & {
  merchant_name: string
  time_zone: string
} & { [K in keyof B]: ReturnType<B[K]> extends RawBuilder<infer V> ? V : never }

/** Every record has a name and the time when it was created. */
const everywhereFull = ['name', 'createdAt']

/** The filters of a query. */
const filtersIn = (query: object) =>
  Object.entries(query).filter(
    ([name, value]) =>
      !['page', 'size', 'ord', 'ordType'].includes(name) &&
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0),
  )

/**
 * A list of records with its search (`searched`), filters and orders, one record by id, and its export. The first order of the list is
 * the default. Further fields are read for the rows of a page only.
 */
export function recordList<L extends ExportList, T extends SearchableTable, B extends Beside = Record<never, never>>({
  list,
  table,
  orders = {},
  full = [],
  sums,
  where,
  beside = {} as B,
  file = {},
}: Declared<L, T, B>) {
  type Row = ListedRecord<T, B>
  // Kysely cannot resolve a table name in a type parameter; every table of records has these columns.
  const name = table as 'clients'
  const { columns, ords } = exportLists[list]
  const declared: ListColumns = columns
  /** The SQL of an order by a column: what is declared, its further field, or its column; texts are compared without case. */
  const valueOf = (db: TenantDb, ord: Ord<L>, ordType: 'ASC' | 'DESC'): RawBuilder<unknown> => {
    const own: OwnOrder | undefined = orders[ord]
    if (own)
      return typeof own === 'function' && !('toOperationNode' in own) ? own(db, ordType) : (own as RawBuilder<unknown>)
    if (ord === 'merchant')
      return sql`(select lower(m.name) from merchants m where m.id = ${sql.ref(`${table}.merchant_id`)})`
    const column = declared[ord]
    const fact = column && shownFactOf(column)
    const field = snake(fact?.field ?? ord)
    const value = beside[field]?.(db) ?? sql.ref(`${table}.${field}`)
    return fact?.kind === 'text' ? sql`lower(${value})` : value
  }
  const ordering = (db: TenantDb, { ord = ords[0] as Ord<L>, ordType = 'ASC' }: Sorted<Ord<L>>) => {
    const isFull = full.includes(ord) || everywhereFull.includes(ord)
    return sql`${valueOf(db, ord, ordType)} ${directed(ordType, isFull)}, ${sql.ref(`${table}.id`)} ${directed(ordType, true)}`
  }
  /** The condition of rows that match, and their number if the search has counted them. */
  const matching = async (db: TenantDb, filters: Filters<L>) => {
    const search = await searching(db, table, (filters as { search?: string }).search)
    const conditions = [search.where, ...(where?.(db, filters) ?? [])]
    const isOnlyText = filtersIn(filters as object).every(([filter]) => filter === 'search')
    return {
      where: sql<boolean>`${sql.join(conditions, sql` and `)}`,
      counted: isOnlyText ? search.counted : undefined,
    }
  }
  const rowsWithNeighbours = (db: TenantDb) =>
    db
      .from(name)
      .innerJoin('merchants', 'merchants.id', `${name}.merchant_id`)
      .selectAll(name)
      .select(['merchants.name as merchant_name', 'merchants.time_zone'])
      .select(Object.entries(beside).map(([field, valueOf]) => valueOf(db).as(field)))

  const source: ExportSource<L> = {
    ...homeOf('merchants'),
    columns: columnsOfRecords(list, table, {
      merchant: sql`merchants.name`,
      ...Object.fromEntries(Object.keys(beside).map((field) => [camel(field), sql.ref(`beside.${field}`)])),
      ...file,
    }),
    open: async (db, order) => {
      const { filter, ...sorted }: Readonly<Record<string, unknown>> = order
      const matches = await matching(db, filter as Filters<L>)
      const facts = Object.entries(beside).map(([field, valueOf]) => sql`${valueOf(db)} as ${sql.ref(field)}`)
      const factsOf = facts.length > 0 ? sql`select ${sql.join(facts)}` : sql`select 1`
      return rowsOf(
        db
          .from(name)
          .where(matches.where)
          .innerJoin('merchants', 'merchants.id', `${name}.merchant_id`)
          .innerJoinLateral(sql<object>`(${factsOf})`.as('beside'), (join) => join.onTrue()),
        ordering(db, sorted as Sorted<Ord<L>>),
      )
    },
  }

  return {
    table,
    source,
    /** The list as a file, by its name. */
    files: { [list]: source } as { readonly [K in L]: ExportSource<L> },
    matching,
    /** A page of the rows, and the number of rows. */
    async list(
      db: TenantDb,
      query: Filters<L> & Page & Sorted<Ord<L>>,
    ): Promise<Counted & { rows: (Row & { id: string })[]; totals?: ListTotal[] }> {
      const { where: isMatch, counted } = await matching(db, query)
      const page = await pageByIds(db, query, {
        matching: () => db.from(name).where(isMatch),
        counted,
        order: ordering(db, query),
        id: `${table}.id`,
        load: async (ids, each) =>
          (await rowsWithNeighbours(each)
            .where(sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::uuid[])`)
            .execute()) as (Row & { id: string })[],
      })
      if (!sums) return page
      const of = Object.fromEntries(sums.of.map((ord) => [ord, valueOf(db, ord, 'ASC')]))
      const matches = () => db.from(name).where(isMatch)
      return { ...page, totals: await totalsOf(db, matches, { currency: sums.currency ?? null, of }) }
    },
    /** One row; undefined outside the scope. */
    async find(db: TenantDb, id: string): Promise<Row | undefined> {
      return (await rowsWithNeighbours(db).where(`${name}.id`, '=', id).executeTakeFirst()) as Row | undefined
    },
  }
}
