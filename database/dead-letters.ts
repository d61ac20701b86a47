import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from './bulk-insert.ts'
import type { Doors } from './tenant.ts'

/** Something that could not be understood or was refused. */
export interface DeadLetter {
  at: Date
  serial: string | null
  merchantId: string | null
  kind: string
  transport: 'mqtt' | 'http'
  /** A short code, then what exactly was wrong. */
  reason: string
  payload: Uint8Array
}

/** What became of a letter that the gateway was told once more. */
export type ReplayOutcome = 'stored' | 'repeated' | 'refused'

const columns = ['id', 'at', 'serial', 'merchant_id', 'kind', 'transport', 'reason', 'payload'] as const

/** Answers the id under which it is kept. */
export async function keepDeadLetter(doors: Doors, letter: DeadLetter): Promise<string> {
  const id = randomUUIDv7()
  const { at, serial, merchantId, kind, transport, reason, payload } = letter
  const row = [id, at, serial, merchantId, kind, transport, reason, payload]
  await doors.withSystem('dead letters', (db) => insertRows(db, 'dead_letters', columns, [row]), 'transaction')
  return id
}

export const changeReason = (doors: Doors, id: string, reason: string) =>
  doors.withSystem(
    'dead letters',
    (db) => db.updateTable('dead_letters').set({ reason }).where('id', '=', id).execute(),
    'single statement',
  )

/** What could not be understood is kept for support, within reason. */
const kept = { days: 30, rows: 50_000 }

/** Forgets what is too old, and the oldest of what is too much. */
export async function trimDeadLetters(doors: Doors): Promise<void> {
  await doors.withSystem('dead letters', async (db) => {
    await sql`delete from dead_letters where at < now() - make_interval(days => ${kept.days})`.execute(db)
    await sql`delete from dead_letters where id in (
      select id from dead_letters order by at desc offset ${kept.rows})`.execute(db)
  })
}
