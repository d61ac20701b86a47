import { sql } from 'kysely'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, homeOf, onlyZone, rowsOf } from '../frame/export/source.ts'
import { deadLetterOrdering, deadLettersMatching } from '../platform/dead-letter-replay.ts'

/** The merchant of some messages is unknown. */
const zone = sql`coalesce(home.time_zone, merchants.time_zone, 'UTC')`

/** Dead letters, filtered and sorted, without their payloads. */
export const deadLettersSource: ExportSource<'deadLetters'> = {
  ...homeOf('merchants'),
  home: { ...homeOf('merchants').home, local: (instant) => sql`${instant} at time zone ${zone}` },
  zone,
  columns: columnsOf('deadLetters', {
    reason: sql`split_part(letters.reason, ': ', 1)`,
    state: sql`case when letters.replay_requested_at is null then 'aside' else coalesce(letters.replay_outcome, 'waiting') end`,
    serial: sql`letters.serial`,
    merchant: sql`merchants.name`,
    kind: sql`letters.kind`,
    transport: sql`upper(letters.transport)`,
    detail: sql`nullif(substr(letters.reason, strpos(letters.reason || ': ', ': ') + 2), '')`,
    size: sql`length(letters.payload)`,
    at: sql`letters.at`,
  }),
  open: async ({ query, scope }, order) => {
    const home = sql<{ time_zone: string | null }>`(select ${onlyZone(scope)} as time_zone)`.as('home')
    return rowsOf(
      deadLettersMatching(query, order.filter).innerJoin(home, (join) => join.onTrue()),
      deadLetterOrdering(order),
    )
  },
}
