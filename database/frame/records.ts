import { sql } from 'kysely'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { constraintOf } from './constraint.ts'
import type { DB } from './schema.gen.ts'
import { snake } from './snake.ts'
import type { ScopedTable, TenantDb } from './tenant.ts'

/** Tenant tables of records that people edit: they have an id and a version. */
export type RecordTable = {
  [T in ScopedTable]: DB[T] extends { id: unknown; merchant_id: unknown; version: unknown } ? T : never
}[ScopedTable]

export interface RecordKey {
  merchant_id: string
  id: string
}

/**
 * How long others wait for a held record: `use` keeps it from being deleted, `edit` from being changed as well, `delete` from being
 * referred to, too.
 */
export type Hold = 'use' | 'edit' | 'delete'

/** Constraints of a table by name, each with the code of its refusal and the field that it concerns. */
export type Duplicates = Readonly<Record<string, readonly [code: ErrorCode, field?: string]>>

/** The values of some fields as columns: `companyName` is `company_name`. */
export const columnsOf = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [snake(name), value]))

/** A schema of what people fill in: its keys are the fields. */
export interface FieldsSchema<Fields> {
  shape: Readonly<Record<keyof Fields & string, unknown>>
}

/** The fields of a row by their names on the wire. */
export const fieldsOf = <Fields>(row: object, { shape }: FieldsSchema<Fields>): Fields =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, (row as Record<string, unknown>)[snake(name)]])) as Fields

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505'

/** Storing, changing and deleting records of one table. */
export function recordsOf(table: RecordTable, duplicates: Duplicates = {}) {
  const refuse = (error: unknown): never => {
    const known = isDuplicate(error) ? duplicates[constraintOf(error) ?? ''] : undefined
    if (!known) throw error
    const [code, field] = known
    throw new ProductError(code, field === undefined ? undefined : { field })
  }
  // Kysely cannot follow a table's name through a parameter; every record table has these columns.
  const name = table as 'clients'
  const at = ({ merchant_id, id }: RecordKey) =>
    sql<boolean>`${sql.ref(`${table}.merchant_id`)} = ${merchant_id} and ${sql.ref(`${table}.id`)} = ${id}`
  return {
    /** A record of the scope, held until the transaction ends. */
    async hold(db: TenantDb, id: string, hold: Hold): Promise<RecordKey | undefined> {
      const one = db
        .from(name)
        .where(`${name}.id`, '=', id)
        .select([`${name}.merchant_id`, `${name}.id`])
      const held = { use: one.forKeyShare(name), edit: one.forNoKeyUpdate(name), delete: one.forUpdate(name) }[hold]
      return held.executeTakeFirst()
    },
    /** Throws the code of a duplicate. */
    async insert(db: TenantDb, key: RecordKey, fields: Readonly<Record<string, unknown>>, now: Date): Promise<void> {
      const row = { ...columnsOf(fields), ...key, created_at: now } as never
      await db.query.insertInto(name).values(row).execute().catch(refuse)
    },
    /** Writes fields and counts the version up. Throws the code of a duplicate. */
    async write(db: TenantDb, key: RecordKey, fields: Readonly<Record<string, unknown>>): Promise<void> {
      const set = { ...columnsOf(fields), version: sql<number>`version + 1` } as never
      await db.query.updateTable(name).set(set).where(at(key)).execute().catch(refuse)
    },
    async remove(db: TenantDb, key: RecordKey): Promise<void> {
      await db.query.deleteFrom(name).where(at(key)).execute()
    },
  }
}
