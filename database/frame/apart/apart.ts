import { type CompiledQuery, type Expression, type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { isDistributed } from '../distributed.ts'
import type { DB } from '../schema.gen.ts'
import { kyselyOn, onQuery, type TenantDb } from '../tenant.ts'
import type { Apart } from './lanes.ts'

/*
 * Reading several merchants of a distributed database. Citus runs a statement on one merchant as it is, but of those on several only what
 * each node can answer alone. So a statement is written once, in a part that each merchant answers and a part that adds the answers up, and
 * on one node both are one statement.
 */

export const merchantsOf = (db: TenantDb): string[] => [...new Set(db.scope.map(({ merchantId }) => merchantId))]

/** Tables that are read merchant by merchant. */
export type ApartDb = TenantDb & { apart: Apart }

/** Whether statements on this scope are read merchant by merchant. */
export const isApart = (db: TenantDb): db is ApartDb =>
  isDistributed() && db.apart !== undefined && merchantsOf(db).length > 1

/**
 * The same tables, where each statement runs for every merchant apart and the rows follow one another. For statements whose rows are of
 * one merchant each, without an order or a limit over several. `merchantIds`: the merchants that have rows, where they are known.
 */
export function eachOf(db: TenantDb, merchantIds: readonly string[] = merchantsOf(db)): TenantDb {
  if (db.apart === undefined || merchantsOf(db).length < 2) return db
  const { query: ofEach, ...many } = db.each
  if (!isApart(db)) return { ...onQuery(db, ofEach), ...many }
  const executeQuery = async <R>(compiled: CompiledQuery): Promise<QueryResult<R>> => {
    const results = await db.apart(compiled, merchantIds)
    return { rows: results.flatMap(({ rows }) => rows) }
  }
  const query = kyselyOn({
    executeQuery,
    async *streamQuery() {
      throw new Error('Rows of several merchants are not read as a stream.')
    },
  })
  return onQuery(db, query)
}

/** The names of types by their ids, which PostgreSQL never changes. */
const typeNames: Readonly<Record<number, string>> = {
  16: 'bool',
  17: 'bytea',
  20: 'int8',
  21: 'int2',
  23: 'int4',
  25: 'text',
  114: 'json',
  199: 'json[]',
  700: 'float4',
  701: 'float8',
  1000: 'bool[]',
  1005: 'int2[]',
  1007: 'int4[]',
  1009: 'text[]',
  1016: 'int8[]',
  1022: 'float8[]',
  1042: 'bpchar',
  1043: 'varchar',
  1082: 'date',
  1114: 'timestamp',
  1182: 'date[]',
  1184: 'timestamptz',
  1185: 'timestamptz[]',
  1186: 'interval',
  1231: 'numeric[]',
  1700: 'numeric',
  2950: 'uuid',
  2951: 'uuid[]',
  3802: 'jsonb',
  3807: 'jsonb[]',
}

/** Values as the database writes them, so that it reads the same ones again. */
export const asTexts = new pg.TypeOverrides()
for (const id of Object.keys(typeNames))
  asTexts.setTypeParser(Number(id) as typeof pg.types.builtins.TEXT, (text) => text)

/** The type of a column. */
export function typeOf({ name, dataTypeID }: pg.FieldDef): RawBuilder<unknown> {
  const type = typeNames[dataTypeID]
  if (type === undefined) throw new Error(`The column ${name} has the type ${dataTypeID}, which has no name here.`)
  return sql.raw(type)
}

/** The name under which the statement guard knows a part that is read merchant by merchant. */
export const eachMerchant = 'of_each_merchant'

/**
 * The rows of a statement on each merchant, as a relation of a statement that reads no table: it sums them up, sorts or pages them. On one
 * node, and for one merchant, the statement itself. `merchant`: a further column with the merchant of each row, where they are apart.
 */
export async function gathered(
  db: TenantDb,
  part: Expression<unknown>,
  merchant?: string,
): Promise<RawBuilder<unknown>> {
  if (!isApart(db)) return sql`(select * from (${part}) as ${sql.ref(eachMerchant)})`
  const merchantIds = merchantsOf(db)
  const results = await db.apart(compiledOf(db.query, part), merchantIds, asTexts)
  const { fields = [] } = results[0] ?? {}
  const values = fields.map(({ name }) => results.flatMap(({ rows }) => rows.map((row) => row[name] as string | null)))
  const typed = fields.map((field, at) => sql`${sql.ref(`x.c${at}`)}::${typeOf(field)} as ${sql.ref(field.name)}`)
  if (merchant !== undefined) {
    values.push(results.flatMap(({ rows }, at) => rows.map(() => merchantIds[at] as string)))
    typed.push(sql`${sql.ref(`x.c${fields.length}`)}::uuid as ${sql.ref(merchant)}`)
  }
  const names = sql.join(values.map((_, at) => sql.ref(`c${at}`)))
  const arrays = sql.join(values.map((column) => sql`${column}::text[]`))
  return sql`(select ${sql.join(typed)} from unnest(${arrays}) as x (${names}))`
}

export const compiledOf = (query: Kysely<DB>, part: Expression<unknown>): CompiledQuery => sql`${part}`.compile(query)
