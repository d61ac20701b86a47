import type { CompiledQuery, Kysely } from 'kysely'
import type { DB } from './schema.gen.ts'

/** Limits the memory of connections: statements beyond this number are not prepared. */
const mostPrepared = 200

const names = new Map<string, string>()

/** Registers a frequent statement, which each connection then parses and plans once. Returns its text. */
export function prepare(text: string): string {
  if (!names.has(text) && names.size < mostPrepared) names.set(text, `gettone_${names.size + 1}`)
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
