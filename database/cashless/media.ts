import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { MediaOrigin } from '#contract/vocabulary/cashless.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** A medium to be registered. `serial` is normalised (`mediaSerialOf`). */
export interface SeenMedia {
  serial: string
  type: number
  origin: MediaOrigin
  /** The machine that saw it. */
  originSerial?: string | undefined
  posId?: string | undefined
  at: Date
}

/** Registers media that the merchant does not have yet, and returns the ids of all. Call it last in a transaction, or before any lock. */
export async function registerMedia(
  db: TenantDb,
  merchantId: string,
  sightings: readonly SeenMedia[],
): Promise<Map<string, string>> {
  const mediaBySerial = new Map(sightings.map((one) => [one.serial, one]))
  if (mediaBySerial.size === 0) return new Map()
  let ids = await idsBySerial(db, merchantId, [...mediaBySerial.keys()])
  // In one order, so that two transactions do not wait for each other.
  const missing = [...mediaBySerial.values()]
    .filter(({ serial }) => !ids.has(serial))
    .sort((one, other) => (one.serial < other.serial ? -1 : 1))
  if (missing.length > 0) {
    await insertRows(
      db.query,
      'medias',
      ['merchant_id', 'id', 'serial', 'type', 'origin_type', 'origin_serial', 'registered_at'],
      missing.map(({ serial, type, origin, originSerial, at }) => [
        merchantId,
        randomUUIDv7(),
        serial,
        type,
        origin,
        originSerial ?? null,
        at,
      ]),
      'on conflict (merchant_id, serial) do nothing',
    )
    ids = await idsBySerial(db, merchantId, [...mediaBySerial.keys()])
  }
  return ids
}

/** The ids of media by their normalised serials. */
export async function idsBySerial(
  db: TenantDb,
  merchantId: string,
  serials: readonly string[],
): Promise<Map<string, string>> {
  if (serials.length === 0) return new Map()
  const { rows } = await sql<{ id: string; serial: string }>`select media.id, media.serial from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.serial = any(${serials}::text[])`.execute(
    db.query,
  )
  return new Map(rows.map(({ id, serial }) => [serial, id]))
}

/**
 * Changes the status of media (0 ok, 1 blocked, 2 lost) and enters it in the merchant's block list, whose new version it returns. The caller
 * holds the media's accounts, so no vend is authorised at the same moment.
 */
export async function changeMediaStatus(
  db: TenantDb,
  merchantId: string,
  mediaIds: readonly string[],
  status: 0 | 1 | 2,
  at: Date,
): Promise<number> {
  const { rows } = await sql<{
    version: number
  }>`insert into block_lists (merchant_id, version) values (${merchantId}, ${mediaIds.length}::bigint)
    on conflict (merchant_id) do update set version = block_lists.version + excluded.version returning version`.execute(
    db.query,
  )
  const version = rows[0]?.version ?? mediaIds.length
  // Each medium has its own version, so that a machine can fetch the list in parts.
  await sql`update medias set status = ${status}, blocked_at = ${status === 0 ? null : at}, version = medias.version + 1,
      block_version = ${version - mediaIds.length}::bigint + changed.place
    from unnest(${mediaIds}::uuid[]) with ordinality as changed (id, place)
    where medias.merchant_id = ${merchantId} and medias.id = changed.id`.execute(db.query)
  return version
}

/** Locks rows of media in one order. A transaction that opens their accounts does so before. */
export async function lockMedia(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<void> {
  await sql`select media.id from medias media where ${db.own('media')} and media.merchant_id = ${merchantId}
      and media.id = any(${ids}::uuid[]) order by media.id for no key update`.execute(db.query)
}

/** The newest version of a merchant's block list; 0 before its first change. */
export async function blockVersionOf(db: TenantDb, merchantId: string): Promise<number> {
  const [row] = await preparedRows(
    db.query,
    sql<{ version: number }>`select list.version from block_lists list
    where ${db.own('list')} and list.merchant_id = ${merchantId}`,
  )
  return row?.version ?? 0
}

/** What decides now whether a merchant's machines get credit: the newest version of its block list, and whether it has customer media. */
export async function creditSwitchesOf(
  db: TenantDb,
  merchantId: string,
): Promise<{ blockVersion: number; hasMedia: boolean }> {
  const [row] = await preparedRows(
    db.query,
    sql<{ blockVersion: number | null; hasMedia: boolean }>`
    select (select list.version from block_lists list where ${db.own('list')} and list.merchant_id = ${merchantId}) as "blockVersion",
      exists (select 1 from merchant_features able where ${db.own('able')} and able.merchant_id = ${merchantId}
        and 'customerMedia' = any(able.features)) as "hasMedia"`,
  )
  return { blockVersion: row?.blockVersion ?? 0, hasMedia: row?.hasMedia ?? false }
}

/** What changed in a merchant's block list after a version: serials and whether they are blocked now. */
export async function blockListAfter(db: TenantDb, merchantId: string, version: number, most: number) {
  const { rows } = await sql<{ serial: string; isBlocked: boolean; version: number }>`
    select media.serial, media.status <> ${sql.lit(mediaStatuses.ok)} as "isBlocked", media.block_version as version from medias media
    where ${db.own('media')} and media.merchant_id = ${merchantId} and media.block_version > ${version}
    order by media.block_version, media.id limit ${most}`.execute(db.query)
  return rows
}
