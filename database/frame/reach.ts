import { type RawBuilder, sql } from 'kysely'
import { type IdName, idNameOf, type RecordIdName } from '#contract/frame/ids.ts'
import { type RecordNoun, recordNouns } from '#contract/vocabulary/record-nouns.ts'
import { gathered } from './apart/apart.ts'
import { tableOfRecord } from './record-table.ts'
import { type NarrowedTable, type ScopedTable, type TenantDb, withinScope } from './tenant.ts'

/** Ids of records, whose table is named after their noun. */
type OfRecord = RecordIdName<RecordNoun>
/** Nouns whose table has another name than their plural. */
type NamedElsewhere = {
  [Name in Exclude<IdName, OfRecord>]: Name extends `${infer Noun}Id`
    ? `${Noun}s` extends ScopedTable
      ? never
      : Name
    : Name
}[Exclude<IdName, OfRecord>]

/**
 * The table of a noun's ids: the noun in the plural, or the one named here. The tenant door narrows by group. `handler`: no tenant table;
 * the noun's own queries decide what the caller sees.
 */
const tableNamed = {
  posId: 'machines',
  pastPosId: 'machinesEver',
  commandId: 'remote_commands',
  stopId: 'round_stops',
  configId: 'configurations',
  productCodeId: 'product_codes',
  pricePlanId: 'price_plans',
  findingId: 'media_findings',
  tokenId: 'api_tokens',
  webhookMessageId: 'webhook_messages',
  changeId: 'change_log',
  // Copies and documents are no files of users.
  screenFileId: 'screen_files',
  whitelistEntryId: 'whitelist_entries',
  dataRetrievalRequestId: 'data_retrieval_requests',
  orderId: 'handler',
  firmwareId: 'handler',
  userId: 'handler',
  sessionId: 'handler',
  viewId: 'handler',
  exportId: 'handler',
  letterId: 'handler',
  webPaymentServiceId: 'handler',
  portalFileId: 'portal_files',
  blogPostId: 'handler',
  blogFileId: 'handler',
  webPaymentOrderId: 'web_payment_orders',
} as const satisfies Record<NamedElsewhere, NarrowedTable | 'handler'>

const tableOfId = new Map<IdName, NarrowedTable | 'handler'>([
  ...recordNouns.map((noun) => [idNameOf(noun), tableOfRecord(noun)] as const),
  ...(Object.entries(tableNamed) as [NamedElsewhere, NarrowedTable | 'handler'][]),
])
/** The table of a noun's ids. */
export const tableOf = (name: IdName): NarrowedTable | 'handler' =>
  tableOfId.get(name) ?? (name.replace(/Id$/, 's') as ScopedTable)

/** Whether `outOfReach` checks ids of a noun; otherwise its handlers do. */
export const isLookedUp = (name: IdName): boolean => tableOf(name) !== 'handler'

/** Ids by their nouns. */
export type NamedIds = ReadonlyMap<IdName, ReadonlySet<string>>

/** Tables in months whose rows are looked up by id, by the column with the time of a row. */
const timeColumn: Partial<Record<NarrowedTable, string>> = {
  transactions: 'created_at',
  audits: 'read_at',
  configurations: 'read_at',
}

/**
 * The column with the time of a table in months, as it is called in a query; undefined for other tables. An id alone says nothing of the month:
 * without a condition on the time, each month is searched.
 */
function timeOf(table: NarrowedTable, alias: string = table) {
  const column = timeColumn[table]
  return column === undefined ? undefined : sql<Date>`${sql.ref(`${alias}.${column}`)}`
}

/** Ids may come from anyone: a time after this one is not ours, and may be none that PostgreSQL reads. */
const lastMs = Date.UTC(2200, 0)

/** The time in an id; undefined for ids of other versions. */
function madeAt(id: string): Date | undefined {
  const digits = id.replaceAll('-', '')
  const ms = digits[12] === '7' ? Number.parseInt(digits.slice(0, 12), 16) : Number.NaN
  return ms < lastMs ? new Date(ms) : undefined
}

/** A row is stored, and gets its id, within this time of its own: all but those of machines that were offline or have a wrong clock. */
const near = sql.raw("interval '1 hour'")

/** The condition that a time lies near the one in an id. */
const isNear = (time: RawBuilder<unknown>, made: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${time} between ${made} - ${near} and ${made} + ${near}`

/** Looks for the row of an id in a table in months: near the time of the id, and if nothing is there, in each month. */
export async function nearFirst<Row>(
  time: RawBuilder<Date>,
  id: string,
  look: (isThere: RawBuilder<boolean>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const made = madeAt(id)
  const found = made && (await look(isNear(time, sql`${made}::timestamptz`)))
  return found ?? look(sql<boolean>`true`)
}

const rowsOf = (table: NarrowedTable) => sql.table(table === 'machinesEver' ? 'machines' : table)

/** The number of ids that are in a table. */
const foundAnywhere = (db: TenantDb, name: IdName, ids: ReadonlySet<string>) => {
  const table = tableOf(name) as NarrowedTable
  return sql`select ${name}::text as name, count(distinct wanted.id)::int as found from ${rowsOf(table)} wanted
    where wanted.id = any(${[...ids]}::uuid[]) and ${db.narrow(table, 'wanted')}`
}

/** The same, of a table in months only near the times of the ids. */
const foundNear = (db: TenantDb, name: IdName, ids: ReadonlySet<string>) => {
  const table = tableOf(name) as NarrowedTable
  const time = timeOf(table, 'wanted')
  if (!time) return foundAnywhere(db, name, ids)
  const made = [...ids].map((id) => madeAt(id)?.toISOString() ?? null)
  return sql`select ${name}::text as name, count(distinct one.id)::int as found
    from unnest(${[...ids]}::uuid[], ${made}::timestamptz[]) as one (id, made) cross join lateral (
      select 1 from ${rowsOf(table)} wanted
      where wanted.id = one.id and ${isNear(time, sql`one.made`)} and ${db.narrow(table, 'wanted')} limit 1
    ) wanted`
}

async function countsOf(db: TenantDb, counts: RawBuilder<unknown>[]): Promise<ReadonlyMap<IdName, number>> {
  const found = await gathered(db, sql`${sql.join(counts, sql` union all `)}`)
  const { rows } = await sql<{ name: IdName; found: number }>`
    select name, sum(found)::int as found from ${found} as counted group by 1`.execute(db.query)
  return new Map(rows.map(({ name, found }) => [name, found]))
}

/**
 * The first noun with an id outside the scope, whether unknown or of another merchant. One statement for all, with the same cost for both
 * cases; a second one looks in each month for rows that are not near the times of their ids.
 */
export async function outOfReach(db: TenantDb, named: NamedIds): Promise<IdName | undefined> {
  const lookedUp = [...named].filter(([name, ids]) => isLookedUp(name) && ids.size > 0)
  if (lookedUp.length === 0) return undefined
  const counted = await countsOf(
    db,
    lookedUp.map(([name, ids]) => foundNear(db, name, ids)),
  )
  const missing = lookedUp.filter(([name, ids]) => (counted.get(name) ?? 0) < ids.size)
  const elsewhere = missing.filter(([name]) => timeOf(tableOf(name) as NarrowedTable))
  if (elsewhere.length === 0) return missing[0]?.[0]
  const countedAnywhere = await countsOf(
    db,
    elsewhere.map(([name, ids]) => foundAnywhere(db, name, ids)),
  )
  return missing.find(([name, ids]) => (countedAnywhere.get(name) ?? 0) < ids.size)?.[0]
}

/** The merchant of a record of the scope's merchants, in any group; undefined without the record. */
async function merchantOf(db: TenantDb, name: IdName, id: string): Promise<string | undefined> {
  const table = tableOf(name) as NarrowedTable
  const look = async (isThere: RawBuilder<boolean>) => {
    const { rows } = await sql<{ merchant_id: string }>`select wanted.merchant_id from ${rowsOf(table)} wanted
      where wanted.id = ${id}::uuid and ${isThere} and ${db.own('wanted')}`.execute(db.query)
    return rows[0]?.merchant_id
  }
  const time = timeOf(table, 'wanted')
  return time ? nearFirst(time, id, look) : look(sql<boolean>`true`)
}

/**
 * The part of a scope of several merchants that has the first of these records. Without the record it is any one merchant, which does not have
 * it either; if nothing there is looked up, the whole scope.
 */
export async function withinMerchantOf(db: TenantDb, records: readonly [IdName, string][]): Promise<TenantDb> {
  const [first] = records.filter(([name]) => isLookedUp(name))
  if (!first || db.scope.length < 2) return db
  const merchantId = await merchantOf(db, ...first)
  const one = merchantId ?? db.scope[0]?.merchantId
  return withinScope(
    db,
    db.scope.filter((pair) => pair.merchantId === one),
  )
}
