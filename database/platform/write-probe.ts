import { sql } from 'kysely'
import type { Doors } from '../frame/tenant.ts'

/** Two pages: enough for the table's file to need new space on the disk. */
const fillingBytes = 16 * 1024

/**
 * Writes to the database as a sale would: new space in a table's file, and a commit. The space is rolled back, so that the table stays
 * small. Throws the database's error, for example 53100 (disk full) or 25006 (read only).
 */
export async function probeDatabase(doors: Doors, now: Date): Promise<void> {
  const filling = Buffer.alloc(fillingBytes, 1)
  await doors.withSystem('health', async (db) => {
    await sql`savepoint filling`.execute(db)
    await sql`insert into write_probes (id, written_at, filling) values (1, ${now}, ${filling})
      on conflict (id) do update set filling = excluded.filling`.execute(db)
    await sql`rollback to savepoint filling`.execute(db)
    await sql`update write_probes set written_at = ${now} where id = 1`.execute(db)
  })
}
