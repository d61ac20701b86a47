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

export async function keepDeadLetters(doors: Doors, letters: readonly DeadLetter[]): Promise<void> {
  const rows = letters.map((letter) => [
    randomUUIDv7(),
    letter.at,
    letter.serial,
    letter.merchantId,
    letter.kind,
    letter.transport,
    letter.reason,
    letter.payload,
  ])
  await doors.withSystem('dead letters', (db) => insertRows(db, 'dead_letters', columns, rows), 'transaction')
}

/** Forgets what is older than `days`, and the oldest of what is more than `rows`. */
export async function trimDeadLetters(doors: Doors, keep: { days: number; rows: number }): Promise<void> {
  await doors.withSystem('dead letters', async (db) => {
    await sql`delete from dead_letters where at < now() - make_interval(days => ${keep.days})`.execute(db)
    await sql`delete from dead_letters where id in (
      select id from dead_letters order by at desc offset ${keep.rows})`.execute(db)
  })
}
