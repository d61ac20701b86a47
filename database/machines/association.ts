import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { AssociationRequest } from '#contract/device-protocol.ts'
import { ProductError } from '#contract/errors.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { refuseJoining } from '../merchants/merchant-limit.ts'
import { takeExpected } from './expected-association.ts'

export interface Associated {
  merchantId: string
  machineId: string
  epoch: number
  isNew: boolean
}

interface Secrets {
  /** The hash of the new secret. */
  next: string
  /** Whether the machine knows the secret of this hash. */
  has: (hash: string) => boolean
}

/** How long a known machine may associate with the PIN alone, unless it signs in or an admin closes the window earlier. */
export const reassociationMs = 24 * 3_600_000

/**
 * Associates a machine with a merchant and gives it a new secret. A known machine begins a new epoch: its items are numbered from 1
 * again, and items of the old epoch are refused. A deleted machine becomes a new machine of any merchant. Null: the machine belongs to
 * another merchant. Throws ReassociationNotAllowed for a known machine without proof; DemoExpired and MachineLimitReached for a new one.
 */
export async function associateMachine(
  db: SystemDb,
  merchantId: string,
  request: AssociationRequest,
  secrets: Secrets,
  now: Date,
): Promise<Associated | null> {
  // Of two concurrent requests with the same serial the second waits here until the first has created its row.
  await sql`select pg_advisory_xact_lock(hashtext('gettone.associate'), hashtext(${request.serial}))`.execute(db)
  const listed = await db
    .selectFrom('machine_directory')
    .where('serial', '=', request.serial)
    .selectAll()
    .executeTakeFirst()
  const installed = listed && (await hasJournal(db, listed)) ? listed : undefined
  if (installed && installed.merchant_id !== merchantId) return null
  const proof = installed && (await proofOf(db, installed, secrets.has, now))
  if (installed && !proof) throw new ProductError('ReassociationNotAllowed')
  if (!installed) await refuseJoining(db, merchantId)
  const machineId = installed?.machine_id ?? randomUUIDv7()
  const epoch = (listed?.epoch ?? 0) + 1
  if (installed) await renew(db, merchantId, machineId, request, epoch)
  const facts = installed ? undefined : await create(db, merchantId, machineId, request, epoch, now)
  // In a reassociation window the old secret ends immediately: it is lost with the machine.
  const secret = {
    secret_hash: secrets.next,
    previous_hash: proof?.hash ?? null,
    is_used: false,
    created_at: now,
  }
  await db
    .insertInto('machine_secrets')
    .values({ merchant_id: merchantId, machine_id: machineId, ...secret })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'machine_id']).doUpdateSet(secret))
    .execute()
  const { serial, deviceType } = request
  await db
    .insertInto('change_log')
    .values({
      merchant_id: merchantId,
      id: randomUUIDv7(),
      at: now,
      user_id: null,
      user_name: serial,
      action: installed ? 'machine.reassociate' : 'machine.associate',
      subject_type: 'machine',
      subject_id: machineId,
      before: null,
      after: JSON.stringify({ serial, deviceType, epoch, ...facts }),
    })
    .execute()
  return { merchantId, machineId, epoch, isNew: !installed }
}

/** The proof by which a known machine may get a new secret: its old secret, or an open window. */
async function proofOf(
  db: SystemDb,
  machine: { merchant_id: string; machine_id: string },
  has: Secrets['has'],
  now: Date,
): Promise<{ hash: string | null } | undefined> {
  const row = await db
    .selectFrom('machines')
    .leftJoin('machine_secrets as s', (join) =>
      join.onRef('s.merchant_id', '=', 'machines.merchant_id').onRef('s.machine_id', '=', 'machines.id'),
    )
    .where('machines.merchant_id', '=', machine.merchant_id)
    .where('machines.id', '=', machine.machine_id)
    .select(['s.secret_hash', 's.previous_hash', 'machines.reassociation_until'])
    .executeTakeFirst()
  const matching = [row?.secret_hash, row?.previous_hash].find((hash) => hash && has(hash))
  if (matching) return { hash: matching }
  return row?.reassociation_until && row.reassociation_until > now ? { hash: null } : undefined
}

/** Marks the newest secret as used at sign-in: the old secret and the window end. */
export const markSecretUsed = (
  doors: Doors,
  { merchantId, id }: { merchantId: string; id: string },
  secretHash: string,
) =>
  doors.withSystem('find machine', async (db) => {
    const used = await db
      .updateTable('machine_secrets')
      .set({ is_used: true, previous_hash: null })
      .where('merchant_id', '=', merchantId)
      .where('machine_id', '=', id)
      .where('secret_hash', '=', secretHash)
      .executeTakeFirst()
    if (Number(used.numUpdatedRows) === 0) return
    await db
      .updateTable('machines')
      .set({ reassociation_until: null })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .execute()
  })

/** Whether the machine exists: a deleted one has no journal. Waits for a deletion in progress. */
const hasJournal = async (db: SystemDb, machine: { merchant_id: string; machine_id: string }): Promise<boolean> =>
  (await db
    .selectFrom('machine_journals')
    .where('merchant_id', '=', machine.merchant_id)
    .where('machine_id', '=', machine.machine_id)
    .select('epoch')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/** The device type stays: a new secret does not change the model of the machine. */
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
  if (request.boardSerial === undefined) return
  await db
    .updateTable('machines')
    .set({ board_serial: request.boardSerial })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', machineId)
    .execute()
}

/** The warranty end of machines that associate now, by the merchant's own calendar; null without warranty. */
async function warrantyOf(db: SystemDb, merchantId: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ until: string }>`
    select ((${now}::timestamptz at time zone m.time_zone)::date + make_interval(months => months))::date as until
    from merchants m join merchant_details d on d.merchant_id = m.id,
      lateral (select d.default_warranty_months + d.extended_warranty_months as months) warranty
    where m.id = ${merchantId}::uuid and months > 0`.execute(db)
  return rows[0]?.until ?? null
}

/** A planogram that still exists; it stays until the end of the transaction. */
async function existingPlanogram(db: SystemDb, merchantId: string, id: string | null): Promise<string | null> {
  if (id === null) return null
  const row = await db
    .selectFrom('planograms')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns the assignment that a user prepared for the machine, if any. */
async function create(
  db: SystemDb,
  merchantId: string,
  machineId: string,
  request: AssociationRequest,
  epoch: number,
  now: Date,
): Promise<{ groupId?: string; clientId?: string }> {
  const expected = await takeExpected(db, merchantId, request.serial, now)
  const name = expected?.name ?? request.name ?? request.serial
  const isTaken = await db
    .selectFrom('machines')
    .where('merchant_id', '=', merchantId)
    .where('name', '=', name)
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
      name: isTaken ? `${name} (${request.serial})` : name,
      device_type: request.deviceType,
      board_serial: request.boardSerial ?? null,
      group_id: expected?.group_id ?? null,
      client_id: expected?.client_id ?? null,
      planogram_id: await existingPlanogram(db, merchantId, expected?.planogram_id ?? null),
      address: expected?.address ?? null,
      sector: expected?.sector ?? null,
      warranty_until: expected?.warranty_until ?? (await warrantyOf(db, merchantId, now)),
      // The response with the first secret may be lost.
      reassociation_until: new Date(now.getTime() + reassociationMs),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db
    .insertInto('machine_journals')
    .values({ merchant_id: merchantId, machine_id: machineId, epoch, summed_group_id: expected?.group_id ?? null })
    .execute()
  const place = { merchant_id: merchantId, machine_id: machineId, epoch }
  await db
    .insertInto('machine_directory')
    .values({ serial: request.serial, ...place })
    .onConflict((conflict) => conflict.column('serial').doUpdateSet(place))
    .execute()
  return {
    ...(expected?.group_id && { groupId: expected.group_id }),
    ...(expected?.client_id && { clientId: expected.client_id }),
  }
}
