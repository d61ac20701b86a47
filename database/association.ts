import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { AssociationRequest } from '#contract/device-protocol.ts'
import { refuseJoining } from './merchant-limit.ts'
import type { Doors, SystemDb } from './tenant.ts'

/** The merchant whose PIN has this digest. */
export const merchantOfPin = async (db: SystemDb, digest: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('association_pins')
      .innerJoin('merchants', 'merchants.id', 'association_pins.merchant_id')
      .where('digest', '=', digest)
      .select('merchant_id')
      .executeTakeFirst()
  )?.merchant_id

/** Gives a merchant its PIN, instead of the one before. Answers false when another merchant has it. */
export const storePin = (doors: Doors, merchantId: string, pin: { digest: string; sealed: string }): Promise<boolean> =>
  doors.withSystem('association pins', async (db) => {
    if (!(await claimDigest(db, merchantId, pin.digest))) return false
    await db
      .updateTable('merchant_settings')
      .set({ pin_sealed: pin.sealed })
      .where('merchant_id', '=', merchantId)
      .execute()
    return true
  })

/** Lets a PIN lead to a merchant, instead of the one before; whoever calls stores the sealed one. False when another merchant has it. */
export const claimPin = (doors: Doors, merchantId: string, digest: string): Promise<boolean> =>
  doors.withSystem('association pins', (db) => claimDigest(db, merchantId, digest), 'single statement')

async function claimDigest(db: SystemDb, merchantId: string, digest: string): Promise<boolean> {
  const given = await sql`
    insert into association_pins (digest, merchant_id) values (${digest}, ${merchantId})
    on conflict (merchant_id) do update set digest = excluded.digest
    where not exists (select from association_pins other where other.digest = excluded.digest)
      or association_pins.digest = excluded.digest`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code === uniqueViolation) return null
      throw error
    })
  return Boolean(given?.numAffectedRows)
}

const uniqueViolation = '23505'

/**
 * Counts an attempt against each key, before it is known whether it succeeds, so that many at once cannot slip through. Answers
 * how many there are now in the stretch of time that began at `since`.
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

/** How many attempts are counted against a key in the stretch of time that began at `since`. */
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

/** Takes an attempt back that turned out to be right. */
export const forgiveAttempt = (doors: Doors, keys: readonly string[], since: Date): Promise<void> =>
  doors.withSystem('associate machine', async (db) => {
    await db
      .updateTable('association_attempts')
      .set({ failures: sql`failures - 1` })
      .where('key', 'in', [...keys])
      .where('since', '=', since)
      .execute()
  })

export interface Associated {
  merchantId: string
  machineId: string
  epoch: number
  isNew: boolean
}

/**
 * Makes a machine the merchant's, with a new secret. The same machine again begins a new epoch: its items are numbered from 1
 * anew, and what it still sends of the epoch before is refused. So does one that was deleted, which then is a new machine of
 * whichever merchant. Null: the machine is another merchant's.
 * Throws DemoExpired and MachineLimitReached for a machine that is new.
 */
export async function associateMachine(
  db: SystemDb,
  merchantId: string,
  request: AssociationRequest,
  secretHash: string,
  now: Date,
): Promise<Associated | null> {
  // Two at once with the same serial: the second waits here until the first has made its row.
  await sql`select pg_advisory_xact_lock(hashtext('gettone.associate'), hashtext(${request.serial}))`.execute(db)
  const listed = await db
    .selectFrom('machine_directory')
    .where('serial', '=', request.serial)
    .selectAll()
    .executeTakeFirst()
  const known = listed && (await hasJournal(db, listed)) ? listed : undefined
  if (known && known.merchant_id !== merchantId) return null
  if (!known) await refuseJoining(db, merchantId)
  const machineId = known?.machine_id ?? randomUUIDv7()
  const epoch = (listed?.epoch ?? 0) + 1
  if (known) await renew(db, merchantId, machineId, request, epoch)
  else await create(db, merchantId, machineId, request, epoch, now)
  await db
    .insertInto('machine_secrets')
    .values({ merchant_id: merchantId, machine_id: machineId, secret_hash: secretHash, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'machine_id']).doUpdateSet({ secret_hash: secretHash, created_at: now }),
    )
    .execute()
  await db
    .insertInto('change_log')
    .values({
      merchant_id: merchantId,
      id: randomUUIDv7(),
      at: now,
      user_id: null,
      user_name: request.serial,
      action: 'machine.associate',
      subject_type: 'machine',
      subject_id: machineId,
      before: null,
      after: JSON.stringify({ serial: request.serial, deviceType: request.deviceType, epoch }),
    })
    .execute()
  return { merchantId, machineId, epoch, isNew: !known }
}

/** Whether the machine is still there: a deleted one has no journal any more. Whoever deletes it just now is waited for. */
const hasJournal = async (db: SystemDb, machine: { merchant_id: string; machine_id: string }): Promise<boolean> =>
  (await db
    .selectFrom('machine_journals')
    .where('merchant_id', '=', machine.merchant_id)
    .where('machine_id', '=', machine.machine_id)
    .select('epoch')
    .forUpdate()
    .executeTakeFirst()) !== undefined

async function renew(
  db: SystemDb,
  merchantId: string,
  machineId: string,
  request: AssociationRequest,
  epoch: number,
): Promise<void> {
  await db.updateTable('machine_directory').set({ epoch }).where('serial', '=', request.serial).execute()
  await db
    .updateTable('machine_journals')
    .set({ epoch, seen: '{}' })
    .where('merchant_id', '=', merchantId)
    .where('machine_id', '=', machineId)
    .execute()
  await db
    .updateTable('machines')
    .set({ device_type: request.deviceType, ...(request.boardSerial && { board_serial: request.boardSerial }) })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', machineId)
    .execute()
}

/** Until when the merchant's machines have warranty that associate now, by its own calendar; null where it gives none. */
async function warrantyOf(db: SystemDb, merchantId: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ until: string }>`
    select ((${now}::timestamptz at time zone m.time_zone)::date + make_interval(months => months))::date as until
    from merchants m join merchant_details d on d.merchant_id = m.id,
      lateral (select d.default_warranty_months + d.extended_warranty_months as months) warranty
    where m.id = ${merchantId}::uuid and months > 0`.execute(db)
  return rows[0]?.until ?? null
}

async function create(
  db: SystemDb,
  merchantId: string,
  machineId: string,
  request: AssociationRequest,
  epoch: number,
  now: Date,
): Promise<void> {
  const wanted = request.name ?? request.serial
  const isTaken = await db
    .selectFrom('machines')
    .where('merchant_id', '=', merchantId)
    .where('name', '=', wanted)
    .where('deleted_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  await db
    .insertInto('machines')
    .values({
      merchant_id: merchantId,
      id: machineId,
      serial: request.serial,
      // A serial is unique, so a name that ends in it is too.
      name: isTaken ? `${wanted} (${request.serial})` : wanted,
      device_type: request.deviceType,
      board_serial: request.boardSerial ?? null,
      warranty_until: await warrantyOf(db, merchantId, now),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db.insertInto('machine_journals').values({ merchant_id: merchantId, machine_id: machineId, epoch }).execute()
  const place = { merchant_id: merchantId, machine_id: machineId, epoch }
  await db
    .insertInto('machine_directory')
    .values({ serial: request.serial, ...place })
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(place))
    .execute()
}
