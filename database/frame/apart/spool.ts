import { type RawBuilder, sql } from 'kysely'
import type { DateStyle } from '../copy-out.ts'
import { type ApartDb, asTexts, compiledOf, merchantsOf, typeOf } from './apart.ts'

let made = 0

/**
 * The rows of a statement on each merchant, as a relation, for more rows than memory should have: a temporary table on the coordinator, for
 * the rest of a transaction that writes. `dateStyle`: how the statement writes local times as text.
 */
export async function spooled(
  db: ApartDb,
  part: RawBuilder<unknown>,
  dateStyle: DateStyle | undefined,
): Promise<RawBuilder<unknown>> {
  const table = sql.table(`spooled_${++made}`)
  const merchantIds = merchantsOf(db)
  const shape = await db.apart(
    compiledOf(db.query, sql`select * from (${part}) r limit 0`),
    merchantIds.slice(0, 1),
    asTexts,
  )
  const columns = (shape[0]?.fields ?? []).map((field) => sql`${sql.ref(field.name)} ${typeOf(field)}`)
  await sql`create temporary table ${table} (${sql.join(columns)}) on commit drop`.execute(db.query)
  if (dateStyle) await sql`set local datestyle = ${sql.lit(dateStyle)}`.execute(db.query)
  await db.apart(compiledOf(db.query, sql`insert into ${table} select * from (${part}) r`), merchantIds)
  if (dateStyle) await sql`set local datestyle = 'ISO, MDY'`.execute(db.query)
  return sql`${table}`
}
