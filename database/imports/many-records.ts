import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import { columnsOf, type FieldsSchema, jsonFieldsOf, type RecordTable } from '../frame/records.ts'
import { snake } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'

/* Records that users edit, many at a time: the number of statements does not grow with the records, except in steps of 500. */

/** Texts as the database compares them, in their order. */
export async function foldedKeys(db: TenantDb, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return []
  const { rows } = await sql<{ key: string }>`
    select lower(wanted.text) as key from unnest(${texts}::text[]) with ordinality as wanted (text, at)
    order by wanted.at`.execute(db.query)
  return rows.map(({ key }) => key)
}

export interface FoundByText {
  id: string
  version: number
  key: string
  [column: string]: unknown
}

/** Records of a merchant by the text of a field, ignoring case; locked until the transaction ends if they are to be changed. */
export async function recordsByText(
  db: TenantDb,
  table: RecordTable,
  { merchantId, field, keys, hold }: { merchantId: string; field: string; keys: readonly string[]; hold: boolean },
): Promise<FoundByText[]> {
  if (keys.length === 0) return []
  // Kysely cannot resolve a table name in a type parameter; every record table has these columns.
  const name = table as 'clients'
  const column = sql.ref(`${table}.${snake(field)}`)
  const query = db
    .from(name)
    .where(`${name}.merchant_id`, '=', merchantId)
    .where(sql<boolean>`lower(${column}) = any(${keys}::text[])`)
    .selectAll(name)
    .select(sql<string>`lower(${column})`.as('key'))
    .orderBy(`${name}.id`)
  return (hold ? query.forNoKeyUpdate(name) : query).execute()
}

/** Creates records of a merchant. Returns their ids, in their order. */
export async function insertRecords<Fields extends object>(
  db: TenantDb,
  table: RecordTable,
  schema: FieldsSchema<Fields>,
  { merchantId, now }: { merchantId: string; now: Date },
  records: readonly Fields[],
): Promise<string[]> {
  const ids = records.map(() => randomUUIDv7())
  const names = Object.keys(columnsOf(schema.shape))
  const json = jsonFieldsOf(schema)
  await insertRows(
    db.query,
    table,
    ['merchant_id', 'id', 'created_at', ...names],
    records.map((record, at) => [merchantId, ids[at], now, ...valuesOf(record, names, json)]),
  )
  return ids
}

const valuesOf = (record: object, names: readonly string[], json: ReadonlySet<string>) => {
  const columns: Readonly<Record<string, unknown>> = columnsOf(record, json)
  return names.map((name) => columns[name])
}

/** Replaces what users fill in of records that exist, and increments their versions. */
export async function updateRecords<Fields extends object>(
  db: TenantDb,
  table: RecordTable,
  schema: FieldsSchema<Fields>,
  { merchantId, now }: { merchantId: string; now: Date },
  records: readonly { id: string; fields: Fields }[],
): Promise<void> {
  const names = Object.keys(columnsOf(schema.shape))
  const json = jsonFieldsOf(schema)
  const set = [...names.map((name) => `${name} = excluded.${name}`), `version = ${table}.version + 1`]
  await insertRows(
    db.query,
    table,
    ['merchant_id', 'id', 'created_at', ...names],
    records.map(({ id, fields }) => [merchantId, id, now, ...valuesOf(fields, names, json)]),
    `on conflict (merchant_id, id) do update set ${set.join(', ')}`,
  )
}

/** The versions of records, locked until the transaction ends. */
export async function holdVersions(
  db: TenantDb,
  table: RecordTable,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const name = table as 'clients'
  const rows = await db
    .from(name)
    .where(`${name}.merchant_id`, '=', merchantId)
    .where(sql<boolean>`${sql.ref(`${table}.id`)} = any(${ids}::uuid[])`)
    .select([`${name}.id`, `${name}.version`])
    .orderBy(`${name}.id`)
    .forUpdate(name)
    .execute()
  return new Map(rows.map(({ id, version }) => [id, version]))
}

export const deleteRecords = (db: TenantDb, table: RecordTable, merchantId: string, ids: readonly string[]) =>
  sql`delete from ${sql.table(table)} where merchant_id = ${merchantId} and id = any(${ids}::uuid[])`.execute(db.query)
