import { sql } from 'kysely'
import type { Doors } from '../frame/tenant.ts'

/** The stored table states of a user, the latest first. */
export const listTableStates = (doors: Doors, userId: string) =>
  doors.withSystem(
    'table states',
    (db) =>
      db
        .selectFrom('table_states')
        .where('user_id', '=', userId)
        .select(['table_id', 'state', 'updated_at'])
        .orderBy('updated_at', 'desc')
        .execute(),
    'single statement',
  )

/** Stores the state of a table, and keeps the latest `most` of the user's tables. */
export const saveTableState = (
  doors: Doors,
  row: { userId: string; tableId: string; state: unknown; at: Date; most: number },
) =>
  doors.withSystem('table states', async (db) => {
    const state = JSON.stringify(row.state)
    await db
      .insertInto('table_states')
      .values({ user_id: row.userId, table_id: row.tableId, state, updated_at: row.at })
      .onConflict((same) => same.columns(['user_id', 'table_id']).doUpdateSet({ state, updated_at: row.at }))
      .execute()
    await sql`delete from table_states where user_id = ${row.userId} and table_id in (
      select table_id from table_states where user_id = ${row.userId}
      order by updated_at desc, table_id = ${row.tableId} desc offset ${row.most})`.execute(db)
  })

export const deleteTableState = (doors: Doors, userId: string, tableId: string) =>
  doors.withSystem(
    'table states',
    (db) => db.deleteFrom('table_states').where('user_id', '=', userId).where('table_id', '=', tableId).execute(),
    'single statement',
  )
