import { sql } from 'kysely'
import type { Doors, TenantDb } from '../frame/tenant.ts'
import { type StoredStorage, screenStorageOf } from './screen-storage.ts'

export interface DueCopy {
  merchantId: string
  fileId: string
  type: string
  bytes: number
  storage: Pick<StoredStorage, 'url' | 'username' | 'passwordSealed' | 'protocol' | 'version'>
}

/** The documents that machines of the merchant were sent last, and their files, if it has a storage; with what is known of their copies. */
const sentOf = (db: TenantDb) => sql`
  from screen_storages s
  join screen_assignments a on a.merchant_id = s.merchant_id
  join screen_files d on d.merchant_id = a.merchant_id and d.id = a.document_id
  join screen_files f on f.merchant_id = d.merchant_id and (f.id = d.id or f.id = any(d.parts))
  left join screen_copies c on c.merchant_id = f.merchant_id and c.file_id = f.id and c.storage_version = s.version and ${db.own('c')}
  where ${db.own('s')} and ${db.own('a')} and ${db.own('d')} and ${db.own('f')}`

/** The merchants with a storage. */
export const merchantsWithStorage = (doors: Doors): Promise<string[]> =>
  doors.withSystem(
    'screen copies',
    async (db) =>
      (await db.selectFrom('screen_storages').select('merchant_id').orderBy('merchant_id').execute()).map(
        (row) => row.merchant_id,
      ),
    'single statement',
  )

/** Files of a merchant that its storage lacks and whose next attempt is due. */
export const dueCopies = (doors: Doors, merchantId: string, now: Date, most: number): Promise<DueCopy[]> =>
  doors.withTenant(
    [{ merchantId, groups: 'all' }],
    async (db) => {
      const storage = await screenStorageOf(db, merchantId)
      const { rows } = await sql<{ id: string; type: string; bytes: number }>`
        select distinct f.id, f.type, f.bytes ${sentOf(db)}
          and c.copied_at is null and coalesce(c.next_at <= ${now}, true) order by f.id limit ${most}`.execute(db.query)
      return storage ? rows.map(({ id, ...file }) => ({ merchantId, fileId: id, ...file, storage })) : []
    },
    'read',
  )

/** Notes that a file was copied, or why not and when the next attempt is due. */
export const noteCopy = (
  doors: Doors,
  { merchantId, fileId, version }: { merchantId: string; fileId: string; version: number },
  outcome: { copiedAt: Date } | { fault: string; failedAt: Date; nextAt: Date },
): Promise<void> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const row =
      'fault' in outcome
        ? { copied_at: null, fault: outcome.fault, failed_at: outcome.failedAt, next_at: outcome.nextAt, attempts: 1 }
        : { copied_at: outcome.copiedAt, fault: null, failed_at: null, next_at: outcome.copiedAt, attempts: 0 }
    await db.query
      .insertInto('screen_copies')
      .values({ merchant_id: merchantId, file_id: fileId, storage_version: version, ...row })
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'file_id']).doUpdateSet({
          ...row,
          storage_version: version,
          attempts: row.attempts === 0 ? 0 : sql<number>`screen_copies.attempts + 1`,
        }),
      )
      .execute()
  })

/** The attempts so far to copy a file. */
export const attemptsOf = (doors: Doors, merchantId: string, fileId: string): Promise<number> =>
  doors.withTenant(
    [{ merchantId, groups: 'all' }],
    async (db) =>
      (
        await db
          .from('screen_copies')
          .where('screen_copies.merchant_id', '=', merchantId)
          .where('screen_copies.file_id', '=', fileId)
          .select('screen_copies.attempts')
          .executeTakeFirst()
      )?.attempts ?? 0,
    'read',
  )

/** The merchant's storage, if it has a copy of the file. */
export const storageWithCopy = (
  doors: Doors,
  merchantId: string,
  fileId: string,
): Promise<DueCopy['storage'] | undefined> =>
  doors.withTenant(
    [{ merchantId, groups: 'all' }],
    async (db) => {
      const row = await db
        .from('screen_copies')
        .innerJoin('screen_storages as s', (join) =>
          join
            .onRef('s.merchant_id', '=', 'screen_copies.merchant_id')
            .onRef('s.version', '=', 'screen_copies.storage_version'),
        )
        .where('screen_copies.merchant_id', '=', merchantId)
        .where('s.merchant_id', '=', merchantId)
        .where('screen_copies.file_id', '=', fileId)
        .where('screen_copies.copied_at', 'is not', null)
        .select(['s.url', 's.username', 's.password_sealed', 's.protocol', 's.version'])
        .executeTakeFirst()
      return (
        row && {
          url: row.url,
          username: row.username,
          passwordSealed: row.password_sealed,
          protocol: row.protocol as StoredStorage['protocol'],
          version: row.version,
        }
      )
    },
    'read',
  )

export interface CopyState {
  copied: number
  waiting: number
  fault: string | null
  failedAt: Date | null
}

/** How many files of a merchant's screens its storage has and lacks, and the newest failure among those it lacks. */
export async function copyStateOf(db: TenantDb, merchantId: string): Promise<CopyState> {
  const { rows } = await sql<{ copied: number; waiting: number; fault: string | null; failed_at: Date | null }>`
    with file as (
      select distinct f.id, c.copied_at, c.fault, c.failed_at ${sentOf(db)} and s.merchant_id = ${merchantId}::uuid
    )
    select count(copied_at)::int as copied, (count(*) - count(copied_at))::int as waiting,
      (array_agg(fault order by failed_at desc nulls last) filter (where copied_at is null))[1] as fault,
      max(failed_at) filter (where copied_at is null) as failed_at
    from file`.execute(db.query)
  const row = rows[0]
  return {
    copied: row?.copied ?? 0,
    waiting: row?.waiting ?? 0,
    fault: row?.fault ?? null,
    failedAt: row?.failed_at ?? null,
  }
}
