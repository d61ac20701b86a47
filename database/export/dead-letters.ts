import { sql } from 'kysely'
import { deadLetterOrdering, deadLettersMatching } from '../platform/dead-letter-replay.ts'
import { type ExportSource, homeOf, onlyZone, rowsOf } from './source.ts'

/** Nobody knows whose some of them are. */
const zone = sql`coalesce(home.time_zone, merchants.time_zone, 'UTC')`

/** What machines sent and could not be understood, as filtered and sorted; without what exactly it was. */
export const deadLettersSource: ExportSource<'deadLetters'> = {
  ...homeOf('merchants'),
  home: { ...homeOf('merchants').home, local: (instant) => sql`${instant} at time zone ${zone}` },
  zone,
  columns: {
    reason: {
      reason: {
        heading: 'dead-letter:column.reason',
        kind: 'word',
        of: 'deadLetterReason',
        sql: sql`split_part(letters.reason, ': ', 1)`,
      },
    },
    state: {
      state: {
        heading: 'dead-letter:column.state',
        kind: 'word',
        of: 'replayState',
        sql: sql`case when letters.replay_requested_at is null then 'aside' else coalesce(letters.replay_outcome, 'waiting') end`,
      },
    },
    serial: { serial: { heading: 'dead-letter:column.serial', kind: 'text', sql: sql`letters.serial` } },
    merchant: { merchant: { heading: 'dead-letter:column.merchant', kind: 'text', sql: sql`merchants.name` } },
    kind: { kind: { heading: 'dead-letter:column.kind', kind: 'text', sql: sql`letters.kind` } },
    transport: {
      transport: { heading: 'dead-letter:column.transport', kind: 'plain', sql: sql`upper(letters.transport)` },
    },
    detail: {
      detail: {
        heading: 'dead-letter:column.detail',
        kind: 'text',
        sql: sql`nullif(substr(letters.reason, strpos(letters.reason || ': ', ': ') + 2), '')`,
      },
    },
    size: { size: { heading: 'dead-letter:column.size', kind: 'number', sql: sql`length(letters.payload)` } },
    at: { at: { heading: 'dead-letter:column.at', kind: 'instant', sql: sql`letters.at` } },
  },
  open: async ({ query, scope }, order) => {
    const home = sql<{ time_zone: string | null }>`(select ${onlyZone(scope)} as time_zone)`.as('home')
    return rowsOf(
      deadLettersMatching(query, order.filter).innerJoin(home, (join) => join.onTrue()),
      deadLetterOrdering(order),
    )
  },
}
