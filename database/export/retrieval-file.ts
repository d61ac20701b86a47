import { type RawBuilder, sql } from 'kysely'
import type { ExportOrderOf } from '#contract/export/export.ts'
import { type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { featureOfColumn } from '#contract/frame/of-feature.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import type { RetrievalFileName, RetrievalType } from '#contract/vocabulary/insight/data-retrieval.ts'
import type { RetentionTable } from '#domain/frame/retention.ts'
import type { FileColumn, Home } from '../frame/export/column.ts'
import { type ExportReader, type ExportSource, fieldsOf, homeOf } from '../frame/export/source.ts'
import { hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { NarrowedTable, TenantDb } from '../frame/tenant.ts'
import { archiveOrder } from '../insight/archived-month.ts'
import { alarmsSource } from './alarms.ts'
import { auditsSource } from './audits.ts'
import { cashCollectionsSource } from './cash-collections.ts'
import { remoteCommandsSource } from './remote-commands.ts'
import { stockMovementsSource } from './stock.ts'
import { planOneByOne, transactionsAmong, transactionsSource } from './transactions.ts'

/** Rows between two instants, the end excluded; from the table, or given as a JSON array of its rows. */
export interface Given {
  from: Date
  to: Date
  json?: string
}
export type Fields = readonly RawBuilder<unknown>[]
export type RetrievalColumn = FileColumn & { feature: Feature | undefined }

/** A row of the archive, as JSON. */
export type ArchivedRow = Record<string, unknown>

interface Common {
  name: RetrievalFileName
  columns: readonly RetrievalColumn[]
  home: Home
  hasOwnCurrencies?: boolean
}

/** A file of rows that retention moves to the archive. */
export interface ArchivedFile extends Common {
  /** The table or view of its rows, and the order of the file. */
  relation: string
  order: readonly [at: string, ...string[]]
  /** The tables below it, each with the rows of the relation that a row of the table gives; null: the same row. */
  tables: { readonly [table in RetentionTable]?: ((row: ArchivedRow) => ArchivedRow[]) | null }
  narrowed: NarrowedTable
  /** Prepares the transaction; returns the statement that reads given rows in order. */
  open(db: TenantDb): Promise<(request: Given, what: Fields) => RawBuilder<unknown>>
}

/** A file of a list whose rows are never archived. */
export interface ListFile extends Common {
  open(
    db: TenantDb,
    days: { startDate: string; endDate: string },
    reader: ExportReader,
  ): Promise<(what: Fields) => RawBuilder<unknown>>
}

const columnsOf = <L extends ExportList>(list: L, source: ExportSource<L>): RetrievalColumn[] =>
  Object.entries<Record<string, FileColumn>>(source.columns)
    .filter(([id]) => id !== 'merchant')
    .flatMap(([id, parts]) =>
      Object.values(parts).map((column) => ({ ...column, feature: featureOfColumn(exportLists[list].row, id) })),
    )

const heading = (name: string) => `data-retrieval-request:file.${name}`
const column = (
  kind: 'text' | 'plain' | 'number' | 'decimal' | 'amount' | 'instant' | 'flag',
  name: string,
  value: RawBuilder<unknown>,
  feature?: Feature,
): RetrievalColumn => ({
  kind,
  heading: heading(name),
  sql: value,
  feature,
})
const machineColumns = [column('text', 'machine', sql`machines.name`), column('text', 'serial', sql`machines.serial`)]

const relationOf = (relation: string, { json }: Given) =>
  json === undefined ? sql.table(relation) : sql`jsonb_populate_recordset(null::${sql.table(relation)}, ${json}::jsonb)`

/** Given rows of a table that the reader may see, named `alias`. */
const rowsOf = (
  db: TenantDb,
  file: Pick<ArchivedFile, 'relation' | 'order' | 'narrowed'>,
  request: Given,
  alias: string,
) => {
  const at = sql.ref(`${alias}.${file.order[0]}`)
  return sql`select ${sql.ref(alias)}.* from ${relationOf(file.relation, request)} ${sql.ref(alias)}
    where ${db.narrow(file.narrowed, alias)} and ${at} >= ${request.from} and ${at} < ${request.to}`
}

const inOrder = (alias: string, order: readonly string[]) => sql.join(order.map((name) => sql.ref(`${alias}.${name}`)))

/** A file of one table, with the machine of each row. */
function ofTable(
  name: RetrievalFileName,
  table: RetentionTable & NarrowedTable,
  columns: readonly RetrievalColumn[],
  more: Partial<Pick<ArchivedFile, 'home' | 'hasOwnCurrencies'>> = {},
): ArchivedFile {
  const file = { relation: table, order: archiveOrder[table], narrowed: table }
  return {
    ...homeOf('merchants'),
    ...more,
    ...file,
    name,
    columns,
    tables: { [table]: null },
    open: async (db) => (request, what) =>
      sql`
      select ${fieldsOf(what)} from (${rowsOf(db, file, request, table)}) ${sql.ref(table)}
      join merchants on merchants.id = ${sql.ref(`${table}.merchant_id`)}
      join machines on ${db.own('machines')} and machines.merchant_id = ${sql.ref(`${table}.merchant_id`)}
        and machines.id = ${sql.ref(`${table}.machine_id`)}
      order by ${inOrder(table, file.order)}`,
  }
}

function ofList<L extends ExportList>(
  name: RetrievalFileName,
  list: L,
  source: ExportSource<L>,
  ord: string,
): ListFile {
  return {
    name,
    columns: columnsOf(list, source),
    home: source.home,
    open: async (db, days, reader) => {
      const order = { list, format: 'csv', columns: [], filter: days, ord, ordType: 'ASC', language: 'en' }
      // Cast: the name of the list is a type parameter, whose filter and order the compiler cannot follow.
      const rows = await source.open(db, order as unknown as ExportOrderOf<L>, reader)
      return (what) => rows.select(what, undefined)
    },
  }
}

const transactionsFile: ArchivedFile = {
  name: 'transactions',
  columns: columnsOf('transactions', transactionsSource),
  home: transactionsSource.home,
  relation: 'transactions',
  order: archiveOrder.transactions,
  narrowed: 'transactions',
  tables: { transactions: null },
  open: async (db) => {
    await planOneByOne(db)
    return (request, what) =>
      transactionsAmong(db, rowsOf(db, transactionsFile, request, 't'), what, { ordType: 'ASC' })
  },
}

const auditColumns = [
  ...machineColumns,
  ...columnsOf('audits', auditsSource),
  { ...column('plain', 'currency', auditsSource.home.currency), heading: 'export:column.currency' },
]
const auditHome = { home: auditsSource.home, hasOwnCurrencies: true }

/** A sale is a movement of each selection that it lowered, as in the view stock_entries. */
const movementsOfSale = (sale: ArchivedRow): ArchivedRow[] =>
  [sale.lowers_line === true ? String(sale.price_line) : null, sale.lowers_total ?? null].flatMap((selection) =>
    selection === null
      ? []
      : [
          {
            merchant_id: sale.merchant_id,
            machine_id: sale.machine_id,
            at: sale.created_at,
            selection,
            id: sale.id,
            kind: 'sale',
            amount: -1,
            opening: false,
            late: false,
            epoch: sale.epoch,
            seq: sale.seq,
          },
        ],
  )

const entries = 'stock_entries'
const stockFile: ArchivedFile = {
  ...homeOf('merchants'),
  name: 'stock-movements',
  columns: [
    column('text', 'machine', sql`machine.name`),
    column('text', 'serial', sql`machine.serial`),
    ...columnsOf('stockMovements', stockMovementsSource),
  ],
  relation: entries,
  order: archiveOrder.stock_movements,
  narrowed: 'stock_movements',
  tables: { stock_movements: null, transactions: movementsOfSale },
  open: async (db) => {
    const name = redactedName(
      sql`stock_entries.changed_by`,
      sql`stock_entries.changed_by_name`,
      await hiddenFrom(db, false),
    )
    return (request, what) => sql`
      select ${fieldsOf(what)} from (${rowsOf(db, stockFile, request, entries)}) stock_entries
      join merchants on merchants.id = stock_entries.merchant_id
      join machines machine on ${db.own('machine')} and machine.merchant_id = stock_entries.merchant_id
        and machine.id = stock_entries.machine_id
      left join machine_stock stock on ${db.own('stock')} and stock.merchant_id = stock_entries.merchant_id
        and stock.machine_id = stock_entries.machine_id and stock.selection = stock_entries.selection
      left join planogram_lines line on ${db.own('line')} and line.merchant_id = stock_entries.merchant_id
        and line.planogram_id = machine.planogram_id and line.selection = stock_entries.selection
      left join product_codes coded on ${db.own('coded')} and coded.merchant_id = stock_entries.merchant_id
        and coded.code = stock.product
      left join products named on ${db.own('named')} and named.merchant_id = stock_entries.merchant_id
        and named.id = coalesce(line.product_id, coded.product_id)
      cross join lateral (select ${name} as by) visible
      order by ${inOrder(entries, stockFile.order)}`
  },
}
const cashAmount = (name: string, value: string) => column('amount', name, sql.ref(`cash_readings.${value}`))
const asJson = (name: string, value: string) => column('text', name, sql`nullif(${sql.ref(value)}::text, '[]')`)

/** The files of each type. The first is that of the type's list. */
export const filesOfType: Record<RetrievalType, readonly (ArchivedFile | ListFile)[]> = {
  transactions: [transactionsFile],
  auditsParsed: [
    ofTable('audits', 'audits', [...auditColumns, column('text', 'content', sql`audits.content::text`)], auditHome),
  ],
  auditsRaw: [
    ofTable(
      'raw-audits',
      'audits',
      [
        ...auditColumns,
        column('plain', 'sha256', sql`encode(audits.sha256, 'hex')`),
        // ASCII unchanged, other bytes as \ooo.
        column('text', 'raw', sql`encode(audits.raw, 'escape')`),
      ],
      auditHome,
    ),
  ],
  alarms: [
    ofList('alarms', 'alarms', alarmsSource, 'createdAt'),
    ofTable('events', 'events', [
      column('instant', 'at', sql`events.at`),
      ...machineColumns,
      column('text', 'code', sql`events.code`),
      column('flag', 'active', sql`events.active`),
      column('text', 'message', sql`events.message`),
      column('text', 'detail', sql`events.detail`),
    ]),
  ],
  cash: [
    ofTable('cash-readings', 'cash_readings', [
      column('instant', 'at', sql`cash_readings.at`),
      ...machineColumns,
      cashAmount('box', 'box'),
      cashAmount('boxCapacity', 'box_capacity'),
      asJson('tubes', 'cash_readings.tubes'),
      asJson('recyclers', 'cash_readings.recyclers'),
      asJson('accepted', 'cash_readings.accepted'),
      asJson('rejected', 'cash_readings.rejected'),
    ]),
    ofList('cash-collections', 'cashCollections', cashCollectionsSource, 'at'),
  ],
  readings: [
    ofTable('readings', 'readings', [
      column('instant', 'at', sql`readings.at`),
      ...machineColumns,
      column('number', 'signal', sql`readings.signal_percent`, 'network'),
      column('decimal', 'temperature', sql`readings.temperature_celsius`),
    ]),
    ofTable('sensor-readings', 'sensor_readings', [
      column('instant', 'at', sql`sensor_readings.hour`),
      ...machineColumns,
      column('text', 'submodule', sql`sensor_readings.submodule`),
      column('text', 'sensor', sql`sensor_readings.name`),
      column('decimal', 'minimum', sql`sensor_readings.minimum`),
      column('decimal', 'maximum', sql`sensor_readings.maximum`),
      column('decimal', 'value', sql`sensor_readings.value`),
    ]),
  ],
  stockMovements: [stockFile],
  commands: [ofList('remote-commands', 'remoteCommands', remoteCommandsSource, 'createdAt')],
}

/** The feature that a merchant needs for a type. */
export const featureOfType = (type: RetrievalType): Feature | undefined =>
  type === 'stockMovements' ? 'productStock' : undefined

export const isArchived = (file: ArchivedFile | ListFile): file is ArchivedFile => 'tables' in file

/** Rows of a page of JSON lines. */
const pageOfLines = 500

/**
 * Rows of the relation as JSON lines in order, page by page, each a statement of its own: between two pages the same connection may do
 * other work. For months of which the database has few rows.
 */
export async function* liveLines(
  db: TenantDb,
  file: Pick<ArchivedFile, 'relation' | 'order' | 'narrowed'>,
  request: Given,
): AsyncGenerator<string[]> {
  const key = (alias: string) => inOrder(alias, file.order)
  for (let last: string | undefined; ; ) {
    const isAfter =
      last === undefined
        ? sql`true`
        : sql`(${key('t')}) > (select ${key('p')} from jsonb_populate_record(null::${sql.table(file.relation)}, ${last}::jsonb) p)`
    const { rows } = await sql<{
      line: string
    }>`select to_jsonb(t)::text as line from (${rowsOf(db, file, request, 't')}) t
      where ${isAfter} order by ${key('t')} limit ${pageOfLines}`.execute(db.query)
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < pageOfLines) return
    last = rows.at(-1)?.line
  }
}
