import type { CompiledQuery, Kysely } from 'kysely'
import type { DB } from './schema.gen.ts'

/** Limits the memory of connections: statements beyond this number are not prepared. */
const mostPrepared = 200

const names = new Map<string, string>()

/** The text of a list depends on its filters. So many of them are prepared, as their plans are the largest: half a megabyte per connection. */
const mostLists = 32
/** A list is prepared when it is opened again and again. */
const oftenFrom = 3
const mostCounted = 500
const opened = new Map<string, number>()
let lists = 0

/** Registers a frequent statement, which each connection then parses and plans once. Returns its text. */
export function prepare(text: string): string {
  if (!names.has(text) && names.size - lists < mostPrepared) names.set(text, `gettone_${names.size + 1}`)
  return text
}

/** The name of a registered statement; undefined for others. */
export const preparedName = (text: string): string | undefined => names.get(text)

/** The rows of a frequent statement whose text is the same for each scope: each connection parses and plans it once. */
export async function preparedRows<Row>(
  db: Kysely<DB>,
  statement: { compile(db: Kysely<DB>): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = statement.compile(db)
  prepare(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

/**
 * The rows of a page. Its statement joins many tables in months and takes longer to plan than to run, so it is prepared when it comes often. Its
 * limit is part of its text: without a number the planner expects too many rows, and plans each call again. Its columns are named one by one: a
 * prepared statement with `*` fails when a table gets a column.
 */
export async function pageRows<Row>(
  db: Kysely<DB>,
  statement: { compile(db: Kysely<DB>): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = statement.compile(db)
  noteOpened(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

function noteOpened(text: string): void {
  if (lists >= mostLists || names.has(text)) return
  const times = (opened.get(text) ?? 0) + 1
  opened.delete(text)
  if (times >= oftenFrom) {
    lists++
    names.set(text, `gettone_${names.size + 1}`)
    return
  }
  opened.set(text, times)
  if (opened.size > mostCounted) opened.delete(opened.keys().next().value as string)
}
