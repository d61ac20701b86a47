import { type InsertObject, sql, type UpdateObject } from 'kysely'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { constraintOf } from './constraint.ts'
import { heldApart } from './held-apart.ts'
import { type Snake, snake } from './row.ts'
import type { DB, JsonValue } from './schema.gen.ts'
import type { ScopedTable, TenantDb } from './tenant.ts'

/** Tenant tables of records that users edit: they have an id and a version. */
export type RecordTable = {
  [T in ScopedTable]: DB[T] extends { id: unknown; merchant_id: unknown; version: unknown } ? T : never
}[ScopedTable]

export interface RecordKey {
  merchant_id: string
  id: string
}

/** The lock on a record: `use` blocks its deletion, `edit` also changes, `delete` also new references to it. */
export type Hold = 'use' | 'edit' | 'delete'

/** Columns that only name a record, by its table: they are empty after its deletion, and do not keep it. */
const namedIn: { readonly [T in RecordTable]?: { table: 'expected_associations' | 'round_loads'; column: string } } = {
  groups: { table: 'expected_associations', column: 'group_id' },
  clients: { table: 'expected_associations', column: 'client_id' },
  planograms: { table: 'expected_associations', column: 'planogram_id' },
  products: { table: 'round_loads', column: 'product_id' },
}

/** Constraints of a table by name, each with its error code and the field concerned. */
export type Duplicates = Readonly<Record<string, readonly [code: ErrorCode, field?: string]>>

/** The values of some fields as columns: `companyName` is `company_name`. Fields in `json` are written as JSON. */
export const columnsOf = <Fields extends object>(
  fields: Fields,
  json: ReadonlySet<string> = new Set(),
): { [F in keyof Fields & string as Snake<F>]: Fields[F] } =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snake(name), json.has(name) ? JSON.stringify(value) : value]),
  ) as { [F in keyof Fields & string as Snake<F>]: Fields[F] }

/** The value of a JSON column as the type of what is written into it. Only code that knows every writer of the column may name the type. */
export const writtenJson = <T>(value: JsonValue | null): T => value as T

/** The schema of a form: its keys are the fields. */
export interface FieldsSchema<Fields> {
  shape: Readonly<Record<keyof Fields & string, unknown>>
  _zod: { output: Fields }
}

/** The fields of a row by their names in the API. */
export const fieldsOf = <Fields>(row: object, { shape }: FieldsSchema<Fields>): Fields =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, (row as Record<string, unknown>)[snake(name)]])) as Fields

/** A schema as far as it says how its values are stored. */
interface Stored {
  def?: { type: string; innerType?: Stored; element?: Stored; options?: readonly Stored[] }
}

/** Objects and arrays of objects are stored as JSON; other arrays as arrays of the database. */
function isJson({ def }: Stored): boolean {
  if (def?.innerType) return isJson(def.innerType)
  if (def?.options) return def.options.some(isJson)
  return def?.type === 'object' || def?.type === 'record' || (def?.element !== undefined && isJson(def.element))
}

/** The fields of a form that are stored as JSON. */
export const jsonFieldsOf = <Fields>({ shape }: FieldsSchema<Fields>): ReadonlySet<string> =>
  new Set(Object.entries(shape).flatMap(([name, schema]) => (isJson(schema as Stored) ? [name] : [])))

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505'

/** Inserts, updates and deletes records of one table; `json` names the fields stored as JSON. */
export function recordsOf(table: RecordTable, duplicates: Duplicates = {}, json: ReadonlySet<string> = new Set()) {
  const refuse = (error: unknown): never => {
    const duplicate = isDuplicate(error) ? duplicates[constraintOf(error) ?? ''] : undefined
    if (!duplicate) throw error
    const [code, field] = duplicate
    throw new ProductError(code, field === undefined ? undefined : { field })
  }
  // Kysely cannot resolve a table name in a type parameter; every record table has these columns.
  const name = table as 'clients'
  const at = ({ merchant_id, id }: RecordKey) =>
    sql<boolean>`${sql.ref(`${table}.merchant_id`)} = ${merchant_id} and ${sql.ref(`${table}.id`)} = ${id}`
  return {
    /** A record of the scope, locked until the transaction ends. */
    async hold(db: TenantDb, id: string, hold: Hold): Promise<RecordKey | undefined> {
      const [held] = await heldApart(db, table, [id], (of) => {
        const one = of
          .from(name)
          .where(`${name}.id`, '=', id)
          .select([`${name}.merchant_id`, `${name}.id`])
        return { use: one.forKeyShare(name), edit: one.forNoKeyUpdate(name), delete: one.forUpdate(name) }[
          hold
        ].execute()
      })
      return held
    },
    /** Throws the error code of a violated constraint. */
    async insert(db: TenantDb, key: RecordKey, fields: Readonly<Record<string, unknown>>, now: Date): Promise<void> {
      const row = { ...columnsOf(fields, json), ...key, created_at: now } as InsertObject<DB, 'clients'>
      await db.query.insertInto(name).values(row).execute().catch(refuse)
    },
    /** Updates fields and increments the version. Throws the error code of a violated constraint. */
    async write(db: TenantDb, key: RecordKey, fields: Readonly<Record<string, unknown>>): Promise<void> {
      const set = { ...columnsOf(fields, json), version: sql<number>`version + 1` } as UpdateObject<DB, 'clients'>
      await db.query.updateTable(name).set(set).where(at(key)).execute().catch(refuse)
    },
    async remove(db: TenantDb, key: RecordKey): Promise<void> {
      const named = namedIn[table]
      if (named) {
        const { merchant_id, id } = key
        const column = sql.ref(named.column)
        await sql`update ${sql.table(named.table)} set ${column} = null
          where merchant_id = ${merchant_id} and ${column} = ${id}`.execute(db.query)
      }
      await db.query.deleteFrom(name).where(at(key)).execute()
    },
  }
}
