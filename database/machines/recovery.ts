import { sql } from 'kysely'
import type { Doors } from '../frame/tenant.ts'

/** The number of the database's timeline. It grows when the server was restored, or when a standby took over. */
export async function timelineOf(doors: Doors): Promise<number> {
  const { rows } = await doors.withSystem(
    'presence',
    (db) =>
      sql<{ timeline: number }>`
        select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`.execute(db),
    'single statement',
  )
  return rows[0]?.timeline ?? 1
}

/** Notes the timeline. True for the first caller since another one was noted. */
export async function noteTimeline(doors: Doors, timeline: number): Promise<boolean> {
  return doors.withSystem('presence', async (db) => {
    await sql`update gateway_listening set timeline = ${timeline} where timeline is null`.execute(db)
    const { rows } = await sql`
      update gateway_listening set timeline = ${timeline} where timeline <> ${timeline} returning timeline`.execute(db)
    return rows.length > 0
  })
}

/** Serials of machines after a serial, in order. */
export async function serialsAfter(doors: Doors, serial: string, limit: number): Promise<string[]> {
  const rows = await doors.withSystem(
    'find machine',
    (db) =>
      db
        .selectFrom('machine_directory')
        .where('serial', '>', serial)
        .select('serial')
        .orderBy('serial')
        .limit(limit)
        .execute(),
    'single statement',
  )
  return rows.map((row) => row.serial)
}
