import { sql } from 'kysely'
import type { Doors } from './tenant.ts'

/** Ended intervals are deleted after this time, a few at each start of an interval. */
const keptHours = 2
const mostDeleted = 200

/** Counts a call of a network in the interval that began at `since`; returns their number, at all servers together. */
export const countCall = (doors: Doors, limit: string, network: string, since: Date): Promise<number> =>
  doors.withSystem('call counts', async (db) => {
    const { calls } = await db
      .insertInto('call_counts')
      .values({ limit_name: limit, network, since, calls: 1 })
      .onConflict((conflict) =>
        conflict.columns(['limit_name', 'network', 'since']).doUpdateSet({ calls: sql`call_counts.calls + 1` }),
      )
      .returning('calls')
      .executeTakeFirstOrThrow()
    if (calls === 1)
      await sql`delete from call_counts where ctid = any(array(select ctid from call_counts
        where since < ${since}::timestamptz - make_interval(hours => ${keptHours})
        limit ${mostDeleted} for update skip locked))`.execute(db)
    return calls
  })
