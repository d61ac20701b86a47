import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import type { Doors } from '../frame/tenant.ts'

/** A message that could not be parsed or was refused. */
export interface DeadLetter {
  at: Date
  serial: string | null
  merchantId: string | null
  kind: string
  transport: 'mqtt' | 'http'
  /** A short code, then the details. */
  reason: string
  payload: Uint8Array
}

/** The result of a letter that was replayed. */
export type ReplayOutcome = 'stored' | 'repeated' | 'refused'

const columns = ['id', 'at', 'serial', 'merchant_id', 'kind', 'transport', 'reason', 'payload'] as const

/** Returns the id of the stored letter. */
export async function keepDeadLetter(doors: Doors, letter: DeadLetter): Promise<string> {
  const id = randomUUIDv7()
  const { at, serial, merchantId, kind, transport, reason, payload } = letter
  const row = [id, at, serial, merchantId, kind, transport, reason, payload]
  await doors.withSystem('dead letters', (db) => insertRows(db, 'dead_letters', columns, [row]), 'transaction')
  return id
}

/** A journalled item that cannot be stored, with its number in the machine's journal. */
export interface KeptItem extends DeadLetter {
  machineId: string
  epoch: number
  seq: number
}

/** Stores complete items, each once however often it arrives. */
export const keepItems = (doors: Doors, items: readonly KeptItem[]): Promise<void> =>
  doors.withSystem(
    'dead letters',
    (db) =>
      insertRows(
        db,
        'dead_letters',
        [...columns, 'machine_id', 'epoch', 'seq'],
        items.map((item) => [
          randomUUIDv7(),
          item.at,
          item.serial,
          item.merchantId,
          item.kind,
          item.transport,
          item.reason,
          item.payload,
          item.machineId,
          item.epoch,
          item.seq,
        ]),
        'on conflict (machine_id, epoch, seq) where seq is not null do nothing',
      ),
    'transaction',
  )

/** Items of a machine that are kept and not stored yet. */
export const keptOf = (doors: Doors, machineId: string): Promise<{ items: number; bytes: number }> =>
  doors.withSystem(
    'dead letters',
    (db) =>
      db
        .selectFrom('dead_letters')
        .where('machine_id', '=', machineId)
        .where('seq', 'is not', null)
        .where(sql<boolean>`coalesce(replay_outcome, 'refused') = 'refused'`)
        .select([
          sql<number>`count(*)::int`.as('items'),
          sql<number>`coalesce(sum(length(payload)), 0)::float8`.as('bytes'),
        ])
        .executeTakeFirstOrThrow(),
    'single statement',
  )

export const changeReason = (doors: Doors, id: string, reason: string) =>
  doors.withSystem(
    'dead letters',
    (db) => db.updateTable('dead_letters').set({ reason }).where('id', '=', id).execute(),
    'single statement',
  )

/** Limits of messages kept for support. */
const retention = { days: 30, rows: 50_000 }

/**
 * Deletes old messages, and the oldest beyond the limit. Items that were acknowledged to a machine are kept until they are stored, or as
 * long as sales are kept: `itemMonths`.
 */
export async function trimDeadLetters(doors: Doors, itemMonths: number): Promise<void> {
  await doors.withSystem('dead letters', async (db) => {
    const old = sql`at < now() - make_interval(days => ${retention.days})`
    await sql`delete from dead_letters where seq is null and ${old}`.execute(db)
    await sql`delete from dead_letters where id in (
      select id from dead_letters where seq is null order by at desc offset ${retention.rows})`.execute(db)
    await sql`delete from dead_letters where seq is not null and ${old} and
      (replay_outcome in ('stored', 'repeated') or at < now() - make_interval(months => ${itemMonths}))`.execute(db)
  })
}
