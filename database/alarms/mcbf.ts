import { type RawBuilder, sql } from 'kysely'

/** Mean cycles between failures to whole cycles, as `mcbfOf`; null without a fault. */
export const mcbf = (cycles: RawBuilder<unknown>, faults: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`round(${cycles}::numeric / nullif(${faults}, 0))::bigint`
