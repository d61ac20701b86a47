import { sql } from 'kysely'
import type { RetentionTable } from '#domain/frame/retention.ts'
import type { Doors, ManyRows, SystemDb, TenantDb } from '../frame/tenant.ts'

/** The order of a table's archived rows: its time, then what makes it unique. */
export const archiveOrder = {
  transactions: ['created_at', 'id'],
  events: ['at', 'id'],
  audits: ['read_at', 'id'],
  cash_readings: ['at', 'id'],
  readings: ['at', 'machine_id', 'epoch', 'seq'],
  sensor_readings: ['hour', 'machine_id', 'submodule', 'name'],
  stock_movements: ['at', 'machine_id', 'selection', 'id'],
  configurations: ['read_at', 'id'],
  unknown_fields: ['at', 'machine_id', 'epoch', 'seq'],
} as const satisfies Record<RetentionTable, readonly [at: string, ...string[]]>

/** A month of a table that is a partition. */
export interface Month {
  table: RetentionTable
  from: Date
  /** Exclusive. */
  to: Date
}

/** The oldest month of a table that ends before an instant. */
export async function oldestMonth(doors: Doors, table: RetentionTable, before: Date): Promise<Month | undefined> {
  const { rows } = await doors.withSystem(
    'partitions',
    (db) =>
      sql<{ from: Date; to: Date }>`
    select bounds[1]::timestamptz as "from", bounds[2]::timestamptz as "to"
    from pg_class parent join pg_inherits on inhparent = parent.oid join pg_class child on child.oid = inhrelid
    cross join lateral (
      select regexp_match(pg_get_expr(child.relpartbound, child.oid), $re$FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$re$) as bounds
    ) found
    where parent.relname = ${table} and parent.relnamespace = 'public'::regnamespace and bounds[2]::timestamptz <= ${before}
    order by 2 limit 1`.execute(db),
    'single statement',
  )
  return rows[0] && { table, ...rows[0] }
}

const inMonth = (merchantId: string, { table, from, to }: Month) => {
  const at = sql.ref(`t.${archiveOrder[table][0]}`)
  return sql`${sql.table(table)} t where t.merchant_id = ${merchantId} and ${at} >= ${from} and ${at} < ${to}`
}

/** How many rows each merchant has in a month. Merchants without rows are absent. */
export async function rowsOfMonth(doors: Doors, month: Month): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  await doors.withSystem('partitions', async (db) => {
    // Each statement names its merchant, as on a distributed database.
    for (const { id } of await db.selectFrom('merchants').select('id').orderBy('id').execute()) {
      const { rows } = await sql<{ n: number }>`select count(*)::bigint as n from ${inMonth(id, month)}`.execute(db)
      const n = Number(rows[0]?.n ?? 0)
      if (n > 0) counts.set(id, n)
    }
  })
  return counts
}

/** Rows read at a time: audits have their whole files. */
const batchOf = (table: RetentionTable) => (table === 'audits' || table === 'configurations' ? 100 : 1000)

/** A merchant's rows of a month as JSON, one line each, in order. Instants are UTC. */
export async function* linesOfMonth(
  { db, many }: { db: SystemDb; many: ManyRows },
  merchantId: string,
  month: Month,
): AsyncGenerator<string[]> {
  await sql`set local timezone to 'UTC'`.execute(db)
  const order = sql.join(archiveOrder[month.table].map((column) => sql.ref(`t.${column}`)))
  const query = sql`select to_jsonb(t)::text from ${inMonth(merchantId, month)} order by ${order}`
  for await (const rows of many.batches(query, batchOf(month.table))) yield rows.map(([line]) => String(line))
}

/** A file with a merchant's rows of a month. Rows that arrive after the month was dropped are in a further part. */
export interface ArchivedMonth {
  merchant_id: string
  table_name: RetentionTable
  /** Day. */
  month: string
  part: number
  blob: string
  rows: number | null
  size: number | null
  sha256: string | null
}

// Written for any date style of the transaction.
const fields = sql`merchant_id, table_name, to_char(month, 'YYYY-MM-DD') as month, part, blob, rows, size, sha256`
const monthOf = ({ from }: Pick<Month, 'from'>) => from.toISOString().slice(0, 10)

/** Files of a month whose rows are still in the database: of an earlier run, or of a worker that died. */
export const pendingFiles = async (doors: Doors, merchantIds: readonly string[], month: Month) => {
  const months: ArchivedMonth[] = []
  await doors.withSystem('partitions', async (db) => {
    for (const id of merchantIds) {
      const { rows } = await sql<ArchivedMonth>`select ${fields} from archived_months
        where merchant_id = ${id} and table_name = ${month.table} and month = ${monthOf(month)}::date
        and dropped_at is null`.execute(db)
      months.push(...rows)
    }
  })
  return months
}

/** Notes a file before it is written, so that no file is ever lost from sight. Returns its part. */
export const noteFile = (doors: Doors, merchantId: string, month: Month, blob: string, at: Date) =>
  doors.withSystem('partitions', async (db) => {
    const { rows } = await sql<{ last: number }>`select coalesce(max(part), 0) as last from archived_months
      where merchant_id = ${merchantId} and table_name = ${month.table} and month = ${monthOf(month)}::date`.execute(db)
    const part = (rows[0]?.last ?? 0) + 1
    await sql`insert into archived_months (merchant_id, table_name, month, part, blob, created_at)
      values (${merchantId}::uuid, ${month.table}, ${monthOf(month)}::date, ${part}, ${blob}, ${at})`.execute(db)
    return part
  })

type Key = Pick<ArchivedMonth, 'merchant_id' | 'table_name' | 'month' | 'part' | 'blob'>
const ofFile = ({ merchant_id, table_name, month, part, blob }: Key) =>
  sql`merchant_id = ${merchant_id} and table_name = ${table_name} and month = ${month}::date and part = ${part}
    and blob = ${blob} and dropped_at is null`

/** Forgets a file whose rows are still in the database. */
export const forgetFile = (doors: Doors, file: Key) =>
  doors.withSystem(
    'partitions',
    (db) => sql`delete from archived_months where ${ofFile(file)}`.execute(db),
    'single statement',
  )

/** Notes that a file is complete and verified. */
export const noteVerified = (doors: Doors, file: Key, { rows, size, sha256 }: FileFacts) =>
  doors.withSystem(
    'partitions',
    (db) =>
      sql`update archived_months set rows = ${rows}, size = ${size}, sha256 = ${sha256} where ${ofFile(file)}`.execute(
        db,
      ),
    'single statement',
  )

export interface FileFacts {
  rows: number
  size: number
  sha256: string
}

/** Rows arrived after the month was archived. */
export const isArchiveBehind = (error: unknown) => (error as { code?: unknown }).code === 'GA001'

/** Drops a month whose rows are in these numbers in files, which are read from then on. Returns the partition's name. */
export async function dropMonth(doors: Doors, { table, to }: Month, archived: ReadonlyMap<string, number>, at: Date) {
  const numbers = JSON.stringify(Object.fromEntries(archived))
  const { rows } = await doors.withSystem('partitions', (db) =>
    sql<{ name: string | null }>`
      select drop_month(${table}, ${to}, ${numbers}::jsonb, ${at}) as name`.execute(db),
  )
  return rows[0]?.name ?? null
}

/** The files of a merchant's rows in a period, by month, for tables whose rows are not in the database any longer. */
export async function archivedMonths(
  db: TenantDb,
  merchantId: string,
  tables: readonly RetentionTable[],
  { from, to }: { from: Date; to: Date },
): Promise<ArchivedMonth[]> {
  const { rows } = await sql<ArchivedMonth>`select ${fields} from archived_months
    where merchant_id = ${merchantId} and ${db.narrow('archived_months')} and table_name = any(${tables}::text[]) and dropped_at is not null
    and month::timestamp at time zone 'UTC' < ${to} and (month + interval '1 month') at time zone 'UTC' > ${from}
    order by month, table_name, part`.execute(db.query)
  return rows
}
