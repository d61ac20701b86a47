import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import { type Apart, apartInTransaction, apartOnLanes, ofPair, ofScope } from './apart/lanes.ts'
import { type CsvShape, csvOf, type Lines } from './copy-out.ts'
import { findDistributed, isDistributed } from './distributed.ts'
import { appConnections, type HeldConnection } from './nodes/app-connections.ts'
import { type Pools, types } from './pool.ts'
import { preparedName } from './prepared.ts'
import type { TableName, tables, ViewName } from './registry.ts'
import type { DB } from './schema.gen.ts'
import { changeWithin } from './sights/change-log-sight.ts'
import { machineColumn } from './sights/machine-column.ts'
import { ruleWithin } from './sights/rule-sight.ts'
import type { SystemReason } from './system-reasons.ts'
import { requestSteps, traceSteps } from './watching/cause.ts'
import { beginStatement } from './watching/statements.ts'

/** The data that one request may see: merchants, each with all or some of its groups. Pairs are never merged into a union. */
export type ScopePair = {
  merchantId: string
  groups: 'all' | readonly string[]
  /**
   * What the reader does not see where the merchant counts blind: figures of uncounted collections, or also what machines say of their cash
   * boxes. See sights/blind-count.ts.
   */
  blind?: 'uncounted' | 'boxes'
}
export type Scope = readonly ScopePair[]

export type SystemDb = Kysely<DB>

/** Tables of the merchant as a whole, and the merchants themselves. A scope with some groups sees a part of groups and of the log. */
type MerchantTable =
  | 'merchants'
  | {
      [T in TableName & keyof DB]: (typeof tables)[T] extends 'tenant'
        ? DB[T] extends { machine_id: unknown }
          ? never
          : T
        : never
    }[TableName & keyof DB]

export type MachineTable = keyof typeof machineColumn
export type ScopedTable = MachineTable | MerchantTable | ViewName
/** `machinesEver`: machines including deleted ones, whose history stays visible. */
export type NarrowedTable = ScopedTable | 'machinesEver'

/**
 * Access to one tenant's data. `from`, `narrow` and `query` work in one transaction whose row-level security is set to the scope's
 * merchants; `from` also narrows to the pairs' groups.
 */
export interface TenantDb extends ManyRows {
  readonly scope: Scope
  /** A query on a table, narrowed to the scope including groups. */
  from<T extends ScopedTable>(table: T): SelectQueryBuilder<DB, T, Record<never, never>>
  /** The same condition for updates, deletes and hand-written SQL; `alias` is the table's name in the query. */
  narrow(table: NarrowedTable, alias?: string): RawBuilder<boolean>
  /**
   * The condition that a row of `alias` belongs to the scope's merchants, in any group. Each tenant table of a hand-written query needs
   * it, in sub-selects and lateral joins too: a distributed database does not infer it from outside.
   */
  own(alias: string): RawBuilder<boolean>
  /** Hand-written queries. Row-level security applies; groups only with `narrow`. */
  readonly query: Kysely<DB>
  /** Runs a statement for merchants of the scope apart: see apart.ts. None where rows belong to no tenant. */
  readonly apart: Apart | undefined
  /** The same connection, for statements that `apart` runs where there are several nodes. */
  readonly each: ManyRows & { readonly query: Kysely<DB> }
  /** Runs the callback after the commit; never after a rollback. */
  afterCommit(call: () => void): void
  /** What a read learns in the round trip that begins it. */
  readonly begun?: Begun | undefined
}

export interface Begun {
  /** The features of the scope's merchants. */
  features: readonly { merchant_id: string; features: string[] }[]
  /** Transactions before it are dropped; null: none are. */
  transactionsSince: Date | null
}

/** Reads many rows as a stream. */
export interface ManyRows {
  /**
   * Reads a query's rows through a cursor in batches, each row as an array of its columns. The next batch is fetched while the current
   * one is processed; at most one ahead.
   */
  batches(query: RawBuilder<unknown>, size: number): AsyncIterable<readonly unknown[][]>
  /** The rows of a query as chunks of CSV, for files, at a quarter of the cost of rows. */
  csv(query: RawBuilder<unknown>, shape: CsvShape): AsyncIterable<Lines>
}

/**
 * Queries through the callback. Under load, the promises of node-postgres 8 keep rows and parameters beyond the young generation, until a
 * full garbage collection.
 */
const ask = <R = pg.QueryResult>(client: pg.PoolClient, statement: string | pg.QueryConfig): Promise<R> =>
  new Promise((resolve, reject) => {
    const ended = beginStatement(typeof statement === 'string' ? statement : statement.text)
    client.query(statement as pg.QueryConfig, (error: Error | null, result: pg.QueryResult) => {
      ended(error)
      // Cast: several statements in one text have a result each.
      if (!error) return resolve(result as R)
      // Otherwise the stack trace ends at the socket and does not show the caller.
      Error.captureStackTrace(error)
      reject(error)
    })
  })

/** The door that a statement uses. */
export type Door = { scope: Scope; isApart?: true; isRead?: boolean } | { reason: SystemReason }

/** Receives each statement before the database; it may throw. */
type Watcher = (statement: Pick<CompiledQuery, 'sql' | 'parameters'>, door: Door) => void
let watch: Watcher | undefined

/** Watches all statements of this process, for tests; undefined stops it. */
export function watchStatements(watcher: Watcher | undefined): void {
  watch = watcher
}

class ClientConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  readonly door: Door
  constructor(client: pg.PoolClient, door: Door) {
    this.client = client
    this.door = door
  }
  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    watch?.(compiled, this.door)
    const name = preparedName(compiled.sql)
    const statement = { ...(name && { name }), text: compiled.sql, values: [...compiled.parameters] }
    const { rows, rowCount, command } = await ask(this.client, statement)
    const changed = command === 'SELECT' ? undefined : BigInt(rowCount ?? 0)
    return { rows, numAffectedRows: changed }
  }
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read one batch after the other through TenantDb.batches.')
  }
}

const sendApart = (scope: Scope) => (client: pg.PoolClient, statement: pg.QueryConfig) => {
  watch?.({ sql: statement.text, parameters: statement.values ?? [] }, { scope, isApart: true })
  return ask(client, statement)
}

async function* batchesOf(client: pg.PoolClient, { sql: text, parameters }: CompiledQuery, size: number) {
  const ended = beginStatement(text)
  const cursor = client.query(new Cursor<unknown[]>(text, [...parameters], { rowMode: 'array', types }))
  try {
    let coming = cursor.read(size)
    coming.then(() => ended(), ended)
    for (;;) {
      const rows = await coming
      if (rows.length === 0) return
      coming = cursor.read(size)
      // A reader who stops early never awaits this batch.
      coming.catch(() => {})
      yield rows
    }
  } finally {
    await cursor.close()
  }
}

function manyRowsOf(client: pg.PoolClient, query: Kysely<DB>, door: Door): ManyRows {
  const compile = (rows: RawBuilder<unknown>) => {
    const compiled = rows.compile(query)
    watch?.(compiled, door)
    return compiled
  }
  return {
    batches: (rows, size) => batchesOf(client, compile(rows), size),
    csv: (rows, shape) => csvOf(client, compile(rows), shape),
  }
}

/** A Kysely on a connection inside a transaction; the function that opened the transaction closes it. */
export function kyselyOn(connection: DatabaseConnection): Kysely<DB> {
  const nothing = async () => {}
  const driver: Driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** Tables of update rules, by the column with the rule's id. */
const ruleColumn: Partial<Record<NarrowedTable, string>> = {
  firmware_rules: 'id',
  cash_database_rules: 'id',
  rollouts: 'id',
  rollout_events: 'rollout_id',
  rollout_notices: 'rollout_id',
}

/** Whether a merchant's records of a table are for some groups only. */
export const isOfSomeGroups = (table: NarrowedTable): boolean => table === 'groups' || table in ruleColumn

/** The group ids under which sums by group store the whole merchant, and machines without a group. */
export const wholeMerchantGroup = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
export const noGroup = '00000000-0000-0000-0000-000000000000'
/** Sums of whole merchants: who sees some groups of a merchant sees none of them. */
const sumsOfWholes: readonly NarrowedTable[] = [
  'merchant_kpis_daily',
  'merchant_products_daily',
  'place_products_to_date',
]
const isOfWholes = (table: NarrowedTable) => sumsOfWholes.includes(table)
const sumsOfGroups: readonly NarrowedTable[] = [
  'group_sales_hourly',
  'open_group_sales_hourly',
  'packed_group_sales_days',
  'group_sales_daily',
]
const isOfGroups = (table: NarrowedTable) => sumsOfGroups.includes(table)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const merchantsOf = (scope: Scope): string[] => [...new Set(scope.map(({ merchantId }) => merchantId))]

/** Of several merchants the ids are a list, in which one alone can be left: see apart.ts. */
const isAmong = (key: RawBuilder<unknown>, ids: readonly string[], scope: Scope, mark = ofScope) =>
  merchantsOf(scope).length === 1
    ? sql<boolean>`${key} = ${ids[0]}::uuid`
    : sql<boolean>`${key} = any(${mark(ids)}::uuid[])`

/** The condition that a row of `alias` belongs to the scope's merchants. */
const ownOf = (scope: Scope, alias: string): RawBuilder<boolean> =>
  isAmong(sql.ref(`${alias}.merchant_id`), merchantsOf(scope), scope)

/** The condition that a row of `table` lies in the scope. */
function narrowTo(scope: Scope, table: NarrowedTable, alias: string = table): RawBuilder<boolean> {
  // Actions never apply to deleted machines.
  if (table === 'machines')
    return sql<boolean>`(${narrowTo(scope, 'machinesEver', alias)} and ${sql.ref(`${alias}.deleted_at`)} is null)`
  const key = sql.ref(table === 'merchants' ? `${alias}.id` : `${alias}.merchant_id`)
  const whole = merchantsOf(scope.filter((pair) => pair.groups === 'all'))
  const parts: RawBuilder<boolean>[] = []
  // A merchant seen as a whole has its own sums beside those of its groups.
  const asWhole = isOfGroups(table) ? sql`${sql.ref(`${alias}.group_id`)} = ${sql.lit(wholeMerchantGroup)} and ` : sql``
  if (whole.length > 0) parts.push(sql<boolean>`${asWhole}${isAmong(key, whole, scope)}`)
  for (const { merchantId, groups } of scope) {
    if (groups === 'all' || isOfWholes(table)) continue
    const isOf = (column: RawBuilder<unknown>) => isAmong(column, [merchantId], scope, ofPair)
    const ofMerchant = isOf(key)
    if (table === 'machinesEver' || table === 'expected_associations' || isOfGroups(table)) {
      parts.push(sql<boolean>`(${ofMerchant} and ${sql.ref(`${alias}.group_id`)} = any(${groups}::uuid[]))`)
    } else if (table === 'groups') {
      parts.push(sql<boolean>`(${ofMerchant} and ${sql.ref(`${alias}.id`)} = any(${groups}::uuid[]))`)
    } else if (table in machineColumn) {
      const machine = sql.ref(`${alias}.${machineColumn[table as MachineTable]}`)
      parts.push(sql<boolean>`(${ofMerchant} and ${machine} in (
        select id from machines where ${isOf(sql.ref('machines.merchant_id'))} and group_id = any(${groups}::uuid[])))`)
    } else if (ruleColumn[table]) {
      parts.push(
        sql<boolean>`(${ofMerchant} and ${ruleWithin(sql.ref(`${alias}.${ruleColumn[table]}`), isOf, groups)})`,
      )
    } else if (table === 'product_codes') {
      parts.push(sql<boolean>`(${ofMerchant} and ${sql.ref(`${alias}.seen_in_groups`)} && ${groups}::uuid[])`)
    } else if (table === 'change_log') {
      parts.push(sql<boolean>`(${ofMerchant} and ${changeWithin(alias, isOf, groups)})`)
    } else {
      parts.push(ofMerchant)
    }
  }
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` or `)})`
}

const eachOn = (client: pg.PoolClient, door: Door): TenantDb['each'] => {
  const query = kyselyOn(new ClientConnection(client, door))
  return { query, ...manyRowsOf(client, query, door) }
}

/** A query on the rows of a table in the scope. */
const fromOf = (query: Kysely<DB>, scope: Scope) =>
  // The builder's type depends on the table's name, which Kysely cannot resolve in a type parameter.
  // Cast: the table is a type parameter of the call, which a method of a value cannot have.
  ((table: 'machines') => query.selectFrom(table).where(narrowTo(scope, table))) as unknown as TenantDb['from']

/** The same scope on another connection. */
export const onQuery = (db: TenantDb, query: Kysely<DB>): TenantDb => ({ ...db, query, from: fromOf(query, db.scope) })

/** The same transaction with a wider scope of the same merchants. */
export const withinScope = (db: TenantDb, wider: Scope): TenantDb => {
  const scope = wider.filter(({ merchantId }) => db.scope.some((pair) => pair.merchantId === merchantId))
  return {
    ...db,
    scope,
    narrow: (table, alias) => narrowTo(scope, table, alias),
    own: (alias) => ownOf(scope, alias),
    from: fromOf(db.query, scope),
  }
}

export interface Doors {
  /** Runs work in one transaction that sees the scope's merchants only. `access: 'read'` returns before the commit is acknowledged. */
  withTenant<T>(scope: Scope, work: (db: TenantDb) => Promise<T>, access?: 'read' | 'write'): Promise<T>
  /** Runs allow-listed work across tenants; see system-reasons.ts. In one transaction, or, for a single statement, without. */
  withSystem<T>(
    reason: SystemReason,
    work: (db: SystemDb, many: ManyRows) => Promise<T>,
    mode?: 'transaction' | 'single statement',
  ): Promise<T>
}

/** The only two ways to the data. */
export function openDoors(pools: Pools): Doors {
  const connect = appConnections(pools)
  return {
    async withTenant(scope, work, access = 'write') {
      const ids = scope.map((pair) => pair.merchantId)
      if (!ids.every((id) => uuid.test(id))) throw new Error('A scope names merchants by their UUIDs.')
      await findDistributed(pools.system)
      const { client, release } = await connect(ids)
      const calls: (() => void)[] = []
      const setScope = `set local app.merchant_ids = '{${ids.join(',')}}'`
      const isRead = access === 'read'
      // Each step of a distributed database is a round trip.
      const named = isDistributed() ? [] : requestSteps()
      const steps = isRead
        ? ['begin read only', ...named, setScope, begunOf(ids)]
        : ['begin', ...named, ...traceSteps(), setScope]
      return inTransaction(
        { client, release },
        // A coordinator sends a setting to the other nodes with the whole text of its query.
        isDistributed() ? steps : [steps.join('; ')],
        isRead,
        async (results) => {
          const query = kyselyOn(new ClientConnection(client, { scope, isRead }))
          return work({
            scope,
            query,
            each: eachOn(client, { scope, isApart: true }),
            apart: isRead
              ? apartOnLanes(pools.apart, sendApart(scope))
              : apartInTransaction(client, ids, sendApart(scope)),
            begun: isRead ? readBegun(results) : undefined,
            narrow: (table, alias) => narrowTo(scope, table, alias),
            own: (alias) => ownOf(scope, alias),
            ...manyRowsOf(client, query, { scope }),
            from: fromOf(query, scope),
            afterCommit: (call) => calls.push(call),
          })
        },
        calls,
      )
    },
    async withSystem(reason, work, mode = 'transaction') {
      await findDistributed(pools.system)
      const client = await pools.system.connect()
      if (mode === 'single statement') {
        try {
          const query = kyselyOn(new ClientConnection(client, { reason }))
          return await work(query, manyRowsOf(client, query, { reason }))
        } finally {
          client.release()
        }
      }
      const query = kyselyOn(new ClientConnection(client, { reason }))
      const begin = ['begin', ...(isDistributed() ? [] : requestSteps()), ...traceSteps()]
      return inTransaction(
        { client, release: (error) => client.release(error) },
        isDistributed() ? begin : [begin.join('; ')],
        false,
        () => work(query, manyRowsOf(client, query, { reason })),
        [],
      )
    },
  }
}

/** Statements of a read's first round trip, each for one kind of table. The ids are checked UUIDs. */
const begunOf = (merchantIds: readonly string[]) => `select merchant_id, features from merchant_features
  where merchant_id = any('{${merchantIds.join(',')}}'::uuid[]); select rows_since('transactions') as since`

function readBegun(results: readonly pg.QueryResult[]): Begun {
  const [features, since] = results.slice(-2)
  return { features: features?.rows ?? [], transactionsSince: since?.rows[0]?.since ?? null }
}

async function inTransaction<T>(
  { client, release }: HeldConnection,
  begin: readonly string[],
  closeLater: boolean,
  work: (begun: readonly pg.QueryResult[]) => Promise<T>,
  afterCommit: (() => void)[],
): Promise<T> {
  let result: T
  try {
    const begun: pg.QueryResult[] = []
    for (const text of begin) begun.push(...[await ask<pg.QueryResult | pg.QueryResult[]>(client, text)].flat())
    result = await work(begun)
    if (!closeLater) await ask(client, 'commit')
  } catch (error) {
    // A connection that cannot roll back is discarded.
    await client.query('rollback').then(
      () => release(),
      (broken: Error) => release(broken),
    )
    throw error
  }
  if (closeLater) {
    ask(client, 'commit').then(
      () => release(),
      (broken: Error) => release(broken),
    )
  } else {
    release()
  }
  for (const call of afterCommit) call()
  return result
}
