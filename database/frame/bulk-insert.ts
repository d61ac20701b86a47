import { CompiledQuery, type Kysely } from 'kysely'
import { isDistributed } from './distributed.ts'
import { prepare } from './prepared.ts'
import type { TableName } from './registry.ts'
import type { DB } from './schema.gen.ts'

/** Rows per statement; more are split. */
const rowsPerStatement = 500

/** The placeholders of a full statement, and the text length after each row: a shorter statement uses a prefix. */
type Placeholders = { text: string; ends: number[] }
const placeholdersOf = new Map<number, Placeholders>()

function placeholders(columns: number): Placeholders {
  let cached = placeholdersOf.get(columns)
  if (!cached) {
    const rows = Math.min(rowsPerStatement, Math.floor(65_000 / columns))
    cached = { text: '', ends: [0] }
    for (let row = 0, parameter = 1; row < rows; row++) {
      const names = Array.from({ length: columns }, () => `$${parameter++}`)
      cached.text += `${row === 0 ? '' : ','}(${names.join(',')})`
      cached.ends.push(cached.text.length)
    }
    placeholdersOf.set(columns, cached)
  }
  return cached
}

/**
 * Inserts many rows as multi-row VALUES, which work under row-level security and on Citus. Each row has its values in the order of
 * `columns`; `tail` follows the values, such as ON CONFLICT.
 */
export async function insertRows(
  db: Kysely<DB>,
  table: TableName,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  tail = '',
): Promise<void> {
  const { text, ends } = placeholders(columns.length)
  const most = ends.length - 1
  for (let from = 0; from < rows.length; from += most) {
    const part = rows.slice(from, from + most)
    const statement = `insert into ${table} (${columns.join(',')}) values ${text.slice(0, ends[part.length])} ${tail}`
    await db.executeQuery(CompiledQuery.raw(statement, part.flat()))
  }
}

type ColumnType =
  | 'uuid'
  | 'timestamptz'
  | 'date'
  | 'smallint'
  | 'int'
  | 'bigint'
  | 'boolean'
  | 'text'
  | 'int8multirange'

/** A column of many rows: one value per row, or one for all rows. */
export type Column = { name: string; type: ColumnType } & (
  | { values: readonly (string | number | boolean | null | undefined)[] }
  | { value: string | number | boolean }
)

/** Rows for a table, column by column; at least one column has `values`. `tail` follows them, such as ON CONFLICT. */
export interface Insertion {
  table: TableName
  /** The table's name in `tail`. */
  alias?: string
  columns: readonly Column[]
  tail?: string
}

/**
 * Inserts rows as one array per column, for data from machines: it costs the server about half of multi-row VALUES. One statement inserts
 * into several tables, which saves round trips; its parts do not see each other's rows. A distributed database gets multi-row VALUES,
 * table by table.
 */
export async function insertColumns(db: Kysely<DB>, ...insertions: readonly Insertion[]): Promise<void> {
  if (isDistributed()) {
    for (const insertion of insertions) await insertByRows(db, insertion)
    return
  }
  const parameters: (string | number | boolean)[] = []
  const statements = insertions.map(({ table, alias, columns, tail = '' }) => {
    const picked: string[] = []
    const arrays: string[] = []
    const rows: string[] = []
    for (const column of columns) {
      parameters.push('value' in column ? column.value : arrayText(column.values, plainTypes.has(column.type)))
      if ('value' in column) picked.push(`$${parameters.length}::${column.type}`)
      else {
        picked.push(`rows.${column.name}`)
        arrays.push(`$${parameters.length}::${column.type}[]`)
        rows.push(column.name)
      }
    }
    const names = columns.map(({ name }) => name).join(',')
    return `insert into ${named(table, alias)} (${names}) select ${picked.join(',')} from unnest(${arrays.join(',')}) as rows (${rows.join(',')}) ${tail}`
  })
  const last = statements.pop()
  const before = statements.map((statement, index) => `part_${index + 1} as (${statement})`).join(', ')
  const statement = before === '' ? last : `with ${before} ${last}`
  if (statement !== undefined) await db.executeQuery(CompiledQuery.raw(prepare(statement), parameters))
}

const named = (table: TableName, alias: string | undefined) => (alias ? `${table} as ${alias}` : table)

function insertByRows(db: Kysely<DB>, { table, alias, columns, tail }: Insertion): Promise<void> {
  const length = Math.max(...columns.map((column) => ('values' in column ? column.values.length : 0)))
  const rows = Array.from({ length }, (_, at) =>
    columns.map((column) => ('values' in column ? (column.values[at] ?? null) : column.value)),
  )
  const names = columns.map(({ name }) => name)
  return insertRows(db, named(table, alias) as TableName, names, rows, tail)
}

/** Types whose values need no quotes in an array's text. */
const plainTypes: ReadonlySet<ColumnType> = new Set([
  'uuid',
  'timestamptz',
  'date',
  'smallint',
  'int',
  'bigint',
  'boolean',
])

/** Texts that need no quotes in an array's text; all others are quoted. */
const plain = /^[\w:.+-]+$/
const quoted = (text: string) =>
  plain.test(text) && text !== 'null' && text !== 'NULL' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`

/** A one-dimensional array in PostgreSQL's text form; `isPlain` if no value needs quotes. */
export function arrayText(values: readonly (string | number | boolean | null | undefined)[], isPlain = false): string {
  let text = ''
  for (const value of values) {
    const element = typeof value === 'string' && !isPlain ? quoted(value) : (value ?? 'null')
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}
