import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { eachOf, gathered, isApart } from './apart/apart.ts'
import { type OrderKey, orderKeysOf } from './apart/order-keys.ts'
import { pageRows } from './prepared.ts'
import type { DB } from './schema.gen.ts'
import type { TenantDb } from './tenant.ts'

/** Counting rows one by one stops here; beyond it a list shows "more than". It also limits jumps to a page. */
export const countLimit = 10_000

/** Lists to which figures lead are counted this far, so that they show the same number. A count of 200,000 rows takes a tenth of a second. */
export const exactLimit = 200_000

export interface Page {
  /** From 1. */
  page: number
  size: number
}

/** How many rows a list has. `capped`: counting stopped at its limit, which `total` is. */
export interface Counted {
  total: number
  capped: boolean
}

/** Counts the rows of a statement that is written as text, up to the limit. */
export async function countRows(
  query: Kysely<DB>,
  statement: Expression<unknown>,
  limit = countLimit,
): Promise<Counted> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${statement} limit ${limit + 1}) as counted`.execute(query)
  return cappedAt(limit, rows[0]?.n ?? 0)
}

export const cappedAt = (limit: number, n: number): Counted => ({ total: Math.min(n, limit), capped: n > limit })

/** Counts the rows of a statement, up to the limit; of several merchants apart each up to it. */
export async function countEach(db: TenantDb, statement: Expression<unknown>, limit = countLimit): Promise<Counted> {
  const each = await gathered(db, sql`select count(*)::int as n from (${statement} limit ${limit + 1}) as counted`)
  const { rows } = await sql<{ n: number }>`select sum(n)::int as n from ${each} as counts`.execute(db.query)
  return cappedAt(limit, rows[0]?.n ?? 0)
}

/** Rows of a merchant's tables, or of all merchants through the other door. */
type Reader = TenantDb | (Pick<TenantDb, 'query'> & { scope?: never })

const areApart = (db: Reader): db is TenantDb => db.scope !== undefined && isApart(db)

/** Where the statement of a list runs that is read merchant by merchant on several nodes. */
const queryOf = (db: Reader): Kysely<DB> => (db.scope === undefined ? db.query : eachOf(db).query)

/** Counts the rows of a query that selects nothing yet, up to the limit. */
export async function countUpTo<Tables, TB extends keyof Tables, O>(
  db: Reader,
  matching: SelectQueryBuilder<Tables, TB, O>,
  limit = countLimit,
): Promise<Counted> {
  if (areApart(db)) return countEach(db, matching.select(sql`1`.as('one')), limit)
  const some = matching.select(sql`1`.as('one')).limit(limit + 1)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${some}) as counted`.execute(queryOf(db))
  return cappedAt(limit, rows[0]?.n ?? 0)
}

/** The offset of a page. A jump past the counted rows stops at the last page. */
export const offsetOf = ({ page, size }: Page): number => Math.max(0, Math.min((page - 1) * size, countLimit - size))

/** The rows of a page, for a statement that is written as text. */
export const limitedTo = (page: Page) => sql`limit ${page.size} offset ${offsetOf(page)}`

/** The place of some rows in a list. */
export interface Stretch {
  offset: number
  length: number
}

/**
 * The rows of a stretch of a statement that finds them itself. Where merchants are read apart, each reads all before the end of the stretch, and
 * `order` sorts the rows of the statement `r` by their columns.
 */
export async function rowsWithin<Row>(
  db: TenantDb,
  stretch: Stretch,
  statement: (stretch: Stretch) => RawBuilder<Row>,
  order: RawBuilder<unknown>,
): Promise<Row[]> {
  if (!isApart(db)) return pageRows(queryOf(db), statement(stretch))
  const each = await gathered(db, statement({ offset: 0, length: stretch.offset + stretch.length }))
  const { rows } = await sql<Row>`
    select * from ${each} r order by ${order} limit ${stretch.length} offset ${stretch.offset}`.execute(db.query)
  return rows
}

/** The direction in which a user sorts a list. */
export interface Directed {
  ordType?: 'ASC' | 'DESC' | undefined
}

/** How a user sorts a list. */
export interface Sorted<Ord extends string> extends Directed {
  ord?: Ord | undefined
}

type Direction = RawBuilder<unknown>

interface Orders<Ord extends string> {
  /** SQL of each order, without its direction. */
  by: Readonly<Record<Ord, RawBuilder<unknown>>>
  /** The order of users who choose none. */
  first: NoInfer<Ord>
  /** Orders whose direction is descending unless the user says otherwise; of the others it is ascending. */
  falling?: readonly NoInfer<Ord>[] | 'all'
  /** Orders in which every row has a value: an index serves their descending order only if it names no place for rows without one. */
  full?: readonly NoInfer<Ord>[]
  /** What orders equal rows, so that every row has its place: in the same direction, or always alike. */
  ties: RawBuilder<unknown> | ((direction: Direction) => RawBuilder<unknown>)
}

/** The direction of an order, as SQL. Rows without a value are last in both; an index serves an ascending order as it is. */
export const directed = (ordType: 'ASC' | 'DESC', isFull = false): RawBuilder<unknown> =>
  sql.raw(ordType === 'ASC' ? 'asc' : isFull ? 'desc' : 'desc nulls last')

/** The order of a list, as SQL for `order by`: every row has its place, and those without a value are last in both directions. */
export function orderOf<const Ord extends string>({ by, first, falling = [], full = [], ties }: Orders<Ord>) {
  const isFalling = (ord: Ord) => falling === 'all' || falling.includes(ord)
  return ({ ord = first, ordType = isFalling(ord) ? 'DESC' : 'ASC' }: Sorted<Ord>): RawBuilder<unknown> => {
    const direction = sql.raw(ordType === 'DESC' ? 'desc' : 'asc')
    const last = typeof ties === 'function' && !('toOperationNode' in ties) ? ties(direction) : ties
    return sql`${by[ord]} ${directed(ordType, full.includes(ord))}, ${last}`
  }
}

interface Matching<DB, TB extends keyof DB, O> {
  /** Starts a query on the rows that match. It selects nothing yet. */
  matching: () => SelectQueryBuilder<DB, TB, O>
  order: RawBuilder<unknown>
  /** Where counting stops. */
  countedTo?: number
}

/** A page of the rows that match, and how many there are. `select` chooses what a row has. */
export async function pageOf<DB, TB extends keyof DB, O, DBOfRow, TBOfRow extends keyof DBOfRow, Row>(
  db: Reader,
  page: Page,
  {
    matching,
    order,
    countedTo = countLimit,
    select,
  }: Matching<DB, TB, O> & {
    select: (query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DBOfRow, TBOfRow, Row>
  },
): Promise<Counted & { rows: Row[] }> {
  const counted = await countUpTo(db, matching(), countedTo)
  if (areApart(db)) return { ...counted, rows: await mergedPage<Row>(db, page, select(matching()), order) }
  const rows = select(matching()).orderBy(order).limit(page.size).offset(offsetOf(page))
  return { ...counted, rows: (await queryOf(db).executeQuery<Row>(rows.compile())).rows }
}

const placeOf = (at: number) => `place_${at}`

/** A page of the rows of each merchant, in their common order. */
async function mergedPage<Row>(
  db: TenantDb,
  page: Page,
  rows: { orderBy(order: RawBuilder<unknown>): unknown },
  order: RawBuilder<unknown>,
  merchant?: string,
): Promise<Row[]> {
  const keys = orderKeysOf(order)
  // Cast: the type of a builder has the tables of its query, which are of no use here.
  const each = (rows as SelectQueryBuilder<DB, 'machines', object>)
    .select(keys.map(({ value }, at) => value.as(placeOf(at))))
    .orderBy(order)
    .limit(offsetOf(page) + page.size)
  const { rows: found } = await sql<Record<string, unknown>>`
    select * from ${await gathered(db, each, merchant)} as r order by ${sortedBy(keys)} ${limitedTo(page)}`.execute(
    db.query,
  )
  for (const row of found) for (const at of keys.keys()) delete row[placeOf(at)]
  return found as Row[]
}

const sortedBy = (keys: readonly OrderKey[]) =>
  sql.join(keys.map(({ direction }, at) => sql`${sql.ref(`r.${placeOf(at)}`)} ${sql.raw(direction)}`))

/** Rows in the order of their ids; ids without a row are left out. */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

interface ById<Row> {
  /** The column of the ids. */
  id: string
  /** `each` reads each merchant's rows apart where they are on several nodes. */
  load: (ids: readonly string[], each: TenantDb) => Promise<readonly Row[]>
}

/** The same where every order reads all rows: they are counted in the same query, exactly. */
export async function pageOfAll<DB, TB extends keyof DB, O, Row extends { id: string }>(
  db: TenantDb,
  page: Page,
  { matching, order, id, load }: Omit<Matching<DB, TB, O>, 'countedTo'> & ById<Row>,
): Promise<Counted & { rows: Row[] }> {
  if (isApart(db)) return pageByIds(db, page, { matching, order, id, load, countedTo: Number.MAX_SAFE_INTEGER })
  const found = await pageRows(
    queryOf(db),
    matching()
      .select([sql<string>`${sql.ref(id)}`.as('id'), sql<number>`count(*) over ()::int`.as('n')])
      .orderBy(order)
      .limit(sql.lit(page.size))
      .offset(sql.lit(offsetOf(page)))
      .$castTo<{ id: string; n: number }>(),
  )
  const n = found[0]?.n
  // A page beyond the end has no row with the total.
  const counted = n === undefined ? await countUpTo(db, matching(), exactLimit) : { total: n, capped: false }
  const ids = found.map((row) => row.id)
  return { ...counted, rows: ids.length === 0 ? [] : inOrderOf(ids, await load(ids, eachOf(db))) }
}

/**
 * The same for wide rows of a growing table: the ids of the page first, then their rows, so that the order is found without what the
 * other tables hold. `id` is the column of the ids; `load` reads rows by them.
 */
export async function pageByIds<DB, TB extends keyof DB, O, Row extends { id: string }>(
  db: TenantDb,
  page: Page,
  {
    matching,
    order,
    countedTo = countLimit,
    counted,
    id,
    load,
  }: Matching<DB, TB, O> &
    ById<Row> & {
      /** The number of rows, where it is known already. */
      counted?: Counted | undefined
    },
): Promise<Counted & { rows: Row[] }> {
  const total = counted ?? (await countUpTo(db, matching(), countedTo))
  const idsOf = matching().select(sql<string>`${sql.ref(id)}`.as('id'))
  if (isApart(db)) {
    const found = await mergedPage<{ id: string; merchant: string }>(db, page, idsOf, order, 'merchant')
    const ids = found.map((row) => row.id)
    const each = eachOf(db, [...new Set(found.map(({ merchant }) => merchant))])
    return { ...total, rows: ids.length === 0 ? [] : inOrderOf(ids, await load(ids, each)) }
  }
  const idRows = await pageRows(
    queryOf(db),
    idsOf
      .orderBy(order)
      .limit(sql.lit(page.size))
      .offset(sql.lit(offsetOf(page)))
      .$castTo<{ id: string }>(),
  )
  const ids = idRows.map((row) => row.id)
  return { ...total, rows: ids.length === 0 ? [] : inOrderOf(ids, await load(ids, eachOf(db))) }
}

/** What adds up in a list. */
export interface Sums {
  /** The currency of a row, whose totals are apart; null for a list without amounts. */
  currency: RawBuilder<unknown> | null
  /** The numbers and amounts of a row, by column. */
  of: Readonly<Record<string, RawBuilder<unknown>>>
}

/**
 * The totals of a list: its columns that add up, over all rows that match. A list without rows has none. `matching` starts a query
 * that selects nothing yet.
 */
export async function totalsOf<Tables, TB extends keyof Tables, O>(
  db: TenantDb,
  matching: () => SelectQueryBuilder<Tables, TB, O>,
  { currency, of }: Sums,
): Promise<ListTotal[]> {
  const columns = Object.entries(of)
  const rows = matching()
    .select((currency ?? sql`null::text`).as('currency'))
    .select(columns.map(([, value], at) => sql<number>`sum(${value})`.as(`sum_${at}`)))
    .groupBy(sql`1`)
  const each = await gathered(db, rows)
  const sums = columns.map((_, at) => sql`sum(${sql.ref(`r.sum_${at}`)})::float8 as ${sql.ref(`sum_${at}`)}`)
  const { rows: found } = await sql<{ currency: Currency | null } & Record<string, number | null>>`
    select r.currency, ${sql.join(sums)} from ${each} r group by 1 order by 1`.execute(db.query)
  return found.map((row) => ({
    currency: row.currency,
    values: Object.fromEntries(columns.map(([id], at) => [id, row[`sum_${at}`] ?? null])),
  }))
}
