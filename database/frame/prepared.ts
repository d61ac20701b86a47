import type { CompiledQuery, Kysely } from 'kysely'
import type { DB } from './schema.gen.ts'

/** A text that is built anew each time would fill the connections' memory: beyond so many, statements are planned each time. */
const mostPrepared = 200

const names = new Map<string, string>()

/** Notes a statement that is said again and again: the database reads and plans it once per connection. Answers its text. */
export function prepare(text: string): string {
  if (!names.has(text) && names.size < mostPrepared) names.set(text, `gettone_${names.size + 1}`)
  return text
}

/** The name under which connections know a statement; undefined for one that was not noted. */
export const preparedName = (text: string): string | undefined => names.get(text)

/** The rows of a statement that is said often, in the same words for each scope: each connection reads and plans it once. */
export async function preparedRows<Row>(
  db: Kysely<DB>,
  statement: { compile(db: Kysely<DB>): CompiledQuery<Row> },
): Promise<Row[]> {
  const compiled = statement.compile(db)
  prepare(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}
