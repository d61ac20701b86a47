import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ConfigItem } from '#contract/device-protocol.ts'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { canonical } from '#domain/configurations/configuration.ts'
import { countUpTo, type Directed, offsetOf, type Page } from '../frame/list.ts'
import { nearFirst } from '../frame/reach.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from '../ingest/ingest.ts'

export interface ConfigurationRow extends ItemHead {
  config: ConfigItem
}

/** An unchanged configuration is stored again after this time, well within the retention. */
const storedAgainMs = 14 * 86_400_000

/** Stores configurations of machines whose journals the caller has locked. An unchanged configuration only updates its confirmation. */
export async function insertConfigurations(
  db: TenantDb,
  rows: readonly ConfigurationRow[],
  savedAt: Date,
): Promise<void> {
  for (const { config, ...row } of rows.toSorted((one, other) => one.at - other.at)) {
    const sha256 = createHash('sha256').update(canonical(config.parameters)).digest()
    const at = new Date(row.at)
    const before = await db
      .from('configurations')
      .where('merchant_id', '=', row.merchantId)
      .where('machine_id', '=', row.machineId)
      .where('read_at', '<=', at)
      .select(['id', 'read_at', 'sha256'])
      .orderBy('read_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (before?.sha256.equals(sha256) && row.at - before.read_at.getTime() < storedAgainMs) {
      await db.query
        .updateTable('configurations')
        .set({ confirmed_at: sql<Date>`greatest(confirmed_at, ${at}::timestamptz)` })
        .where('merchant_id', '=', row.merchantId)
        .where('read_at', '=', before.read_at)
        .where('id', '=', before.id)
        .execute()
      continue
    }
    await db.query
      .insertInto('configurations')
      .values({
        merchant_id: row.merchantId,
        read_at: at,
        id: row.id,
        machine_id: row.machineId,
        saved_at: savedAt,
        confirmed_at: at,
        machine_time: row.machineTime,
        epoch: row.epoch ?? 0,
        seq: row.seq ?? 0,
        origin: config.origin,
        port: config.port,
        sha256,
        parameters: JSON.stringify(config.parameters),
      })
      .execute()
  }
}

const facts = [
  'configurations.id',
  'configurations.merchant_id',
  'configurations.machine_id',
  'configurations.read_at',
  'configurations.confirmed_at',
  'configurations.machine_time',
  'configurations.origin',
  'configurations.port',
] as const
const factsAndParameters = [...facts, 'configurations.parameters'] as const

const ofMachine = (db: TenantDb, machineId: string) =>
  db.from('configurations').where('configurations.machine_id', '=', machineId)

const shownOf = (db: TenantDb, machineId: string) => ofMachine(db, machineId).select(factsAndParameters)

/**
 * The comparison of domain/configurations/configuration.ts in SQL, for large numbers of configurations. Without an outer join of the two: it would
 * end a coordinator.
 */
const changesSince = sql<{ added: number; removed: number; changed: number }>`(
  select count(*) filter (where not before.parameters ? now.key)::int as added,
    (select count(*)::int from jsonb_object_keys(before.parameters) as was (key) where not configurations.parameters ? was.key) as removed,
    count(*) filter (where before.parameters -> now.key <> now.value)::int as changed
  from jsonb_each(configurations.parameters) as now)`

/** Configurations with the one before and the changes since; both null for the oldest one kept. */
const besideBefore = (db: TenantDb, some: ReturnType<typeof shownOf>) =>
  db.query
    .selectFrom(some.as('configurations'))
    .innerJoin('merchants', 'merchants.id', 'configurations.merchant_id')
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('configurations as earlier')
          .where(db.own('earlier'))
          .whereRef('earlier.merchant_id', '=', 'configurations.merchant_id')
          .whereRef('earlier.machine_id', '=', 'configurations.machine_id')
          // The day alone lets the planner skip monthly partitions; day and time together do not.
          .whereRef('earlier.read_at', '<=', 'configurations.read_at')
          .where(sql<boolean>`(earlier.read_at, earlier.id) < (configurations.read_at, configurations.id)`)
          .select(['earlier.id', 'earlier.parameters'])
          .orderBy('earlier.read_at', 'desc')
          .orderBy('earlier.id', 'desc')
          .limit(1)
          .as('before'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(changesSince.as('changes'), (join) => join.on('before.id', 'is not', null))

/** A query on the configurations of a machine, for a file. */
export const configurationsOf = (db: TenantDb, machineId: string) => besideBefore(db, shownOf(db, machineId))

/** The order of configurations; by default the newest first. */
export function configurationOrdering({ ordType }: Directed) {
  const direction = sql.raw(ordType === 'ASC' ? 'asc' : 'desc')
  return sql`configurations.read_at ${direction}, configurations.id ${direction}`
}

/** How many parameters a configuration has. */
export const parameterCount = sql<number>`(select count(*)::int from jsonb_object_keys(configurations.parameters))`

const listedColumns = [
  ...facts,
  'before.id as before_id',
  'changes.added',
  'changes.removed',
  'changes.changed',
] as const

/** A machine's configurations, by default the newest first. */
export async function listConfigurations(db: TenantDb, machineId: string, page: Page & Directed) {
  const counted = await countUpTo(db, ofMachine(db, machineId))
  const pageRows = shownOf(db, machineId).orderBy(configurationOrdering(page)).limit(page.size).offset(offsetOf(page))
  const rows = await besideBefore(db, pageRows)
    .select(listedColumns)
    .select(parameterCount.as('size'))
    .orderBy(configurationOrdering(page))
    .execute()
  return { ...counted, rows }
}

export type ConfigurationRecord = Awaited<ReturnType<typeof listConfigurations>>['rows'][number]

/** One configuration of a machine with its parameters. */
export async function findConfiguration(
  db: TenantDb,
  machineId: string,
  id: string,
): Promise<(ConfigurationRecord & { parameters: Parameters }) | undefined> {
  const row = await nearFirst(sql<Date>`configurations.read_at`, id, (isThere) =>
    besideBefore(db, shownOf(db, machineId).where('configurations.id', '=', id).where(isThere))
      .select(listedColumns)
      .select([parameterCount.as('size'), 'configurations.parameters'])
      .executeTakeFirst(),
  )
  return row && { ...row, parameters: row.parameters as Parameters }
}

/** The configuration that a machine reported last; undefined if none is kept. */
export async function newestConfiguration(db: TenantDb, machineId: string) {
  const row = await shownOf(db, machineId).orderBy(configurationOrdering({})).limit(1).executeTakeFirst()
  return row && { ...row, parameters: row.parameters as Parameters }
}
