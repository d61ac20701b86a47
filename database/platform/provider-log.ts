import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ChangeLogFilters } from '#contract/platform/change-log.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { countRows, type Directed, limitedTo, type Page } from '../frame/list.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import type { Change } from './change-log.ts'
import type { ChangeRecord } from './change-log-list.ts'

const written = (value: unknown) => (value === undefined ? null : JSON.stringify(value))

/** Records a change outside of merchants, in the transaction of the change. */
export async function recordProviderChange(db: SystemDb, change: Omit<Change, 'merchantId'>): Promise<void> {
  const { at, user, action, subjectType, subjectId, before, after } = change
  await db
    .insertInto('provider_log')
    .values({
      id: randomUUIDv7(),
      at,
      user_id: user.id,
      user_name: user.name,
      action,
      subject_type: subjectType,
      subject_id: subjectId,
      before: written(before),
      after: written(after),
    })
    .execute()
}

export type ProviderChangeRecord = Omit<
  ChangeRecord,
  | 'merchant_id'
  | 'merchant_name'
  | 'time_zone'
  | 'currency'
  | 'micros'
  | 'alarm_code'
  | 'command_type'
  | 'pos_id'
  | 'pos_name'
>

/** Conditions on `c`; days begin in UTC. */
function conditionsOf({ startDate, endDate, userIds, subjectTypes, actions, subjectId }: ChangeLogFilters) {
  const conditions = [
    anyOf('c.user_id', userIds, 'uuid'),
    anyOf('c.subject_type', subjectTypes, 'text'),
    anyOf('c.action', actions, 'text'),
    when(subjectId, (id) => sql<boolean>`c.subject_id = ${id}`),
    when(startDate, (day) => sql<boolean>`c.at >= ${day}::date::timestamp at time zone 'UTC'`),
    when(endDate, (day) => sql<boolean>`c.at < (${day}::date + 1)::timestamp at time zone 'UTC'`),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const listedColumns = sql`c.id, c.at, c.user_id, c.user_name, c.action, c.subject_type, c.subject_id, c.before, c.after,
  (select u.name from users u where c.subject_type = 'user' and u.id::text = c.subject_id) as subject_name`

/** The changes that match, from `provider_log c`, in their order. */
export const providerChanges = (filters: ChangeLogFilters, { ordType = 'DESC' }: Directed) => ({
  rows: sql`from provider_log c where ${conditionsOf(filters)}`,
  order: sql`c.at ${sql.raw(ordType)}, c.id ${sql.raw(ordType)}` as RawBuilder<unknown>,
})

export const listProviderChanges = (doors: Doors, query: ChangeLogFilters & Page & Directed) =>
  doors.withSystem('provider log', async (db) => {
    const { rows: matching, order } = providerChanges(query, query)
    const counted = await countRows(db, sql`select ${matching}`)
    const { rows } = await sql<ProviderChangeRecord>`select ${listedColumns} ${matching}
      order by ${order} ${limitedTo(query)}`.execute(db)
    return { ...counted, rows }
  })

/** One change, and the names of merchants among its values by id. */
export const findProviderChange = (doors: Doors, id: string) =>
  doors.withSystem('provider log', async (db) => {
    const { rows } =
      await sql<ProviderChangeRecord>`select ${listedColumns} from provider_log c where c.id = ${id}`.execute(db)
    return rows[0]
  })

/** The filter options of the log: users, actions and subjects that occur. */
export const providerChangeChoices = (doors: Doors) =>
  doors.withSystem('provider log', async (db) => {
    const { rows: people } = await sql<{ id: string; name: string }>`select * from (
      select distinct on (user_id) user_id as id, user_name as name from provider_log order by user_id, at desc) as people
      order by lower(name), id`.execute(db)
    const { rows } = await sql<{ action: string; type: string }>`
      select distinct action, subject_type as type from provider_log`.execute(db)
    return {
      people,
      actions: rows.map(({ action }) => action).toSorted(),
      subjectTypes: [...new Set(rows.map(({ type }) => type))].toSorted(),
    }
  })
