import { CompiledQuery, type Kysely } from 'kysely'
import type { TableName } from './registry.ts'
import type { DB } from './schema.gen.ts'

/** Rows of one statement; more go into several. */
const rowsPerStatement = 500

/** The placeholders of a full statement, and where those of the first n rows end: a shorter statement is a part of it. */
type Placeholders = { text: string; ends: number[] }
const placeholdersOf = new Map<number, Placeholders>()

function placeholders(columns: number): Placeholders {
  let known = placeholdersOf.get(columns)
  if (!known) {
    const rows = Math.min(rowsPerStatement, Math.floor(65_000 / columns))
    known = { text: '', ends: [0] }
    for (let row = 0, parameter = 1; row < rows; row++) {
      const names = Array.from({ length: columns }, () => `$${parameter++}`)
      known.text += `${row === 0 ? '' : ','}(${names.join(',')})`
      known.ends.push(known.text.length)
    }
    placeholdersOf.set(columns, known)
  }
  return known
}

/**
 * Inserts many rows at once, as multi-row VALUES, which hold under row-level security and on Citus alike. Each row has its
 * values in the order of `columns`; `tail` is what follows the values, such as ON CONFLICT.
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
