import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ConfigItem } from '#contract/device-protocol.ts'
import type { Parameters } from '#contract/vocabulary/configuration.ts'
import { canonical } from '#domain/configuration.ts'
import type { ItemHead } from './ingest.ts'
import { countUpTo, offsetOf, type Page } from './paging.ts'
import type { TenantDb } from './tenant.ts'

export interface ConfigurationRow extends ItemHead {
  config: ConfigItem
}

/** After so long one that has not changed is stored anew, far within what retention keeps. */
const storedAnewMs = 14 * 86_400_000

/** Stores configurations of machines whose journals the caller holds; the same as the one before only confirms that one. */
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
    if (before?.sha256.equals(sha256) && row.at - before.read_at.getTime() < storedAnewMs) {
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

const shown = [
  'id',
  'merchant_id',
  'machine_id',
  'read_at',
  'confirmed_at',
  'machine_time',
  'origin',
  'port',
  'parameters',
] as const

const ofMachine = (db: TenantDb, machineId: string) => db.from('configurations').where('machine_id', '=', machineId)

export interface ConfigurationRecord {
  id: string
  merchant_id: string
  machine_id: string
  read_at: Date
  confirmed_at: Date
  machine_time: string | null
  origin: number
  port: string
  parameters: Parameters
  /** Of the one before; null for the oldest that is kept. */
  before: Parameters | null
  before_id: string | null
}

const recordOf = (
  row: Omit<ConfigurationRecord, 'parameters' | 'before' | 'before_id'> & { parameters: unknown },
  before?: { id: string; parameters: unknown },
) => ({
  ...row,
  parameters: row.parameters as Parameters,
  before: (before?.parameters as Parameters | undefined) ?? null,
  before_id: before?.id ?? null,
})

/** A machine's configurations, the newest first unless asked otherwise, each with the one before it. */
export async function listConfigurations(
  db: TenantDb,
  machineId: string,
  page: Page & { ordType?: 'ASC' | 'DESC' | undefined },
) {
  const counted = await countUpTo(db, ofMachine(db, machineId))
  const isAscending = page.ordType === 'ASC'
  const direction = isAscending ? 'asc' : 'desc'
  const offset = offsetOf(page)
  // The one before the page's oldest stands on the next page, or on the one before when the oldest comes first.
  const from = isAscending ? Math.max(0, offset - 1) : offset
  const rows = await ofMachine(db, machineId)
    .select(shown)
    .orderBy('read_at', direction)
    .orderBy('id', direction)
    .limit(page.size + 1)
    .offset(from)
    .execute()
  const skipped = offset - from
  const own = rows.slice(skipped, skipped + page.size)
  return {
    ...counted,
    rows: own.map((row, index) => recordOf(row, rows[skipped + index + (isAscending ? -1 : 1)])),
  }
}

/** One configuration of a machine with the one before it. */
export async function findConfiguration(
  db: TenantDb,
  machineId: string,
  id: string,
): Promise<ConfigurationRecord | undefined> {
  const row = await ofMachine(db, machineId).where('id', '=', id).select(shown).executeTakeFirst()
  if (!row) return undefined
  const before = await ofMachine(db, machineId)
    .where(sql<boolean>`(read_at, id) < (${row.read_at}, ${row.id}::uuid)`)
    .select(['id', 'parameters'])
    .orderBy('read_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return recordOf(row, before)
}

/** What a machine reported last; undefined when it never did, or long ago. */
export const newestConfiguration = async (
  db: TenantDb,
  machineId: string,
): Promise<Omit<ConfigurationRecord, 'before' | 'before_id'> | undefined> => {
  const row = await ofMachine(db, machineId)
    .select(shown)
    .orderBy('read_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && recordOf(row)
}
