import { sql } from 'kysely'
import { serialKey } from '#domain/machines/serial.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/**
 * Counts an attempt against each key before it is checked, so that concurrent attempts cannot pass the limit. Returns the highest count
 * since `since`.
 */
export async function countAttempt(doors: Doors, keys: readonly string[], since: Date): Promise<number[]> {
  const counts = await doors.withSystem('associate machine', async (db) => {
    await sql`delete from association_attempts where since < ${since}::timestamptz - interval '1 day'`.execute(db)
    const rows = await db
      .insertInto('association_attempts')
      .values(keys.toSorted().map((key) => ({ key, since, failures: 1 })))
      .onConflict((conflict) =>
        conflict.columns(['key', 'since']).doUpdateSet({ failures: sql`association_attempts.failures + 1` }),
      )
      .returning(['key', 'failures'])
      .execute()
    return new Map(rows.map((row) => [row.key, row.failures]))
  })
  return keys.map((key) => counts.get(key) ?? 0)
}

/** The attempts counted against a key since `since`. */
export const failuresOf = (doors: Doors, key: string, since: Date): Promise<number> =>
  doors.withSystem(
    'associate machine',
    async (db) => {
      const row = await db
        .selectFrom('association_attempts')
        .where('key', '=', key)
        .where('since', '=', since)
        .select('failures')
        .executeTakeFirst()
      return row?.failures ?? 0
    },
    'single statement',
  )

/** Takes back an attempt from some of its keys. It costs the same for none and for all of them. */
export const forgiveAttempt = (
  doors: Doors,
  keys: readonly string[],
  since: Date,
  forgiven: readonly string[] = keys,
): Promise<void> =>
  doors.withSystem('associate machine', async (db) => {
    await sql`
      update association_attempts set failures = failures - (key = any(${[...forgiven]}::text[]))::int
      where key = any(${[...keys]}::text[]) and since = ${since}::timestamptz`.execute(db)
  })

/** The facts that decide an attempt. */
export interface Attempt {
  /** The merchant of the PIN, and whether this merchant's machines were associated from the same network before. */
  merchantId: string | null
  isKnownPlace: boolean
  /** The merchant of the one-time code for this serial. */
  codeOf: string | null
  /** Merchants that expect a machine with this serial, the owner included while the machine may associate again. */
  expectedBy: string[]
  /** The merchant that owns the machine, and the hashes of the machine's secrets. */
  ownerId: string | null
  hashes: string[]
}

/** Networks are kept this long after the last association. */
const placeDays = 90
/** At most this many merchants that expect the same serial are considered. */
const mostExpecting = 10

/** The merchant that owns a machine, with the machine's secrets. */
async function ownerOf(db: SystemDb, serial: string) {
  const place = await db
    .selectFrom('machine_directory')
    .where('serial', '=', serial)
    .select(['merchant_id', 'machine_id'])
    .executeTakeFirst()
  return (
    place &&
    db
      .selectFrom('machines as m')
      .innerJoin('machine_secrets as s', (join) =>
        join.onRef('s.merchant_id', '=', 'm.merchant_id').onRef('s.machine_id', '=', 'm.id'),
      )
      .where('m.merchant_id', '=', place.merchant_id)
      .where('m.id', '=', place.machine_id)
      .select(['m.merchant_id', 'm.reassociation_until', 's.secret_hash', 's.previous_hash'])
      .executeTakeFirst()
  )
}

export const attemptOf = (
  doors: Doors,
  {
    digest,
    code,
    serial,
    place,
    now,
  }: { digest: string | null; code: string | null; serial: string; place: string; now: Date },
): Promise<Attempt> =>
  doors.withSystem(
    'associate machine',
    async (db) => {
      const { rows } = await sql<Pick<Attempt, 'merchantId' | 'isKnownPlace' | 'codeOf'>>`
        select pin.merchant_id as "merchantId",
          exists (select 1 from association_places p where p.merchant_id = pin.merchant_id and p.place = ${place}
            and p.last_at > ${now}::timestamptz - make_interval(days => ${placeDays})) as "isKnownPlace",
          (select c.merchant_id from association_codes c where c.digest = ${code} and c.serial = ${serialKey(serial)}
            and c.expires_at > ${now}) as "codeOf"
        from (select 1 as one) one
        left join lateral (select a.merchant_id from association_pins a
          join merchants m on m.id = a.merchant_id where a.digest = ${digest}) pin on true`.execute(db)
      const expecting = await db
        .selectFrom('expected_associations')
        .where('serial', '=', serialKey(serial))
        .where('expires_at', '>', now)
        .select('merchant_id')
        .orderBy('merchant_id')
        .limit(mostExpecting)
        .execute()
      const owner = await ownerOf(db, serial)
      const expectedBy = expecting.map(({ merchant_id }) => merchant_id)
      if (owner?.reassociation_until && owner.reassociation_until > now) expectedBy.push(owner.merchant_id)
      return {
        ...(rows[0] as (typeof rows)[number]),
        expectedBy,
        ownerId: owner?.merchant_id ?? null,
        hashes: [owner?.secret_hash, owner?.previous_hash].filter((hash) => typeof hash === 'string'),
      }
    },
    'single statement',
  )

/** Stores the network from which a merchant's machine was associated. */
export const rememberPlace = (doors: Doors, merchantId: string, place: string, now: Date): Promise<void> =>
  doors.withSystem('associate machine', async (db) => {
    await sql`delete from association_places where merchant_id = ${merchantId}::uuid
      and last_at < ${now}::timestamptz - make_interval(days => ${placeDays})`.execute(db)
    await db
      .insertInto('association_places')
      .values({ merchant_id: merchantId, place, last_at: now })
      .onConflict((conflict) => conflict.columns(['merchant_id', 'place']).doUpdateSet({ last_at: now }))
      .execute()
  })

/** Stores the code with which one machine may join a merchant. It replaces the machine's earlier code. */
export const storeCode = (
  doors: Doors,
  { digest, merchantId, serial, expiresAt }: { digest: string; merchantId: string; serial: string; expiresAt: Date },
  now: Date,
): Promise<void> =>
  doors.withSystem('associate machine', async (db) => {
    await sql`delete from association_codes where expires_at <= ${now}`.execute(db)
    await db
      .insertInto('association_codes')
      .values({ digest, merchant_id: merchantId, serial: serialKey(serial), expires_at: expiresAt })
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'serial']).doUpdateSet({ digest, expires_at: expiresAt }),
      )
      .execute()
  })

/** Uses a code up. False when it has been used. */
export const takeCode = async (db: SystemDb, digest: string): Promise<boolean> =>
  Number((await db.deleteFrom('association_codes').where('digest', '=', digest).executeTakeFirst()).numDeletedRows) > 0
