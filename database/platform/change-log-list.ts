import { type RawBuilder, sql } from 'kysely'
import { fieldsByFeature } from '#contract/frame/features-of-fields.ts'
import type { ChangeLogEntry, ChangeLogFilters } from '#contract/platform/change-log.ts'
import { gathered } from '../frame/apart/apart.ts'
import { among, anyOf } from '../frame/conditions.ts'
import { readCursor, writeCursor } from '../frame/cursor.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { countEach, countLimit, type Directed, offsetOf, type Page, rowsWithin } from '../frame/list.ts'
import { type Hidden, hiddenFrom, redactedName } from '../frame/redacted-name.ts'
import type { RowOf } from '../frame/row.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

export interface ChangeRecord extends Omit<RowOf<typeof ChangeLogEntry>, 'before' | 'after'> {
  before: unknown
  after: unknown
  micros: number
}

const allOf = (conditions: RawBuilder<boolean>[]) => sql<boolean>`${sql.join(conditions, sql` and `)}`

/** The name of the author of the change `c`; null if it is hidden from the reader. */
export const userNameOf = (hidden: Hidden) => redactedName(sql`c.user_id`, sql`c.user_name`, hidden)

/** Fields of records that name a user. */
const naming = ['createdBy', 'repairedBy']

/**
 * The values before or after the change `c`. Names of authors in a record carry no id, so they are left out unless the reader sees all
 * names; the log entry itself names the author. Fields of features that the merchant lacks are left out.
 */
export const redactedFacts = (db: TenantDb, column: 'before' | 'after', isNaming: boolean) => {
  const facts = sql.ref(`c.${column}`)
  const hidden = isNaming ? [] : [sql` - ${sql.lit(`{${naming}}`)}::text[]`]
  const ofFeatures = [...fieldsByFeature].map(
    ([feature, fields]) =>
      sql` - case when ${hasFeature(db, feature, 'c')} then '{}' else ${sql.lit(`{${fields}}`)} end::text[]`,
  )
  return sql`case when jsonb_typeof(${facts}) = 'object' then ${facts}${sql.join([...hidden, ...ofFeatures], sql``)} else ${facts} end`
}

/** Conditions on `c`; the zone of the merchant `m` defines its days. */
export function conditionsOf(filters: ChangeLogFilters, hidden: Hidden): RawBuilder<boolean>[] {
  const { startDate, endDate, userIds, subjectTypes, actions, subjectId } = filters
  return [
    anyOf('c.user_id', userIds, 'uuid'),
    anyOf('c.subject_type', subjectTypes, 'text'),
    anyOf('c.action', actions, 'text'),
    ...(subjectId ? [sql<boolean>`c.subject_id = ${subjectId}`] : []),
    ...(startDate ? [sql<boolean>`c.at >= ${startDate}::date::timestamp at time zone m.time_zone`] : []),
    ...(endDate ? [sql<boolean>`c.at < (${endDate}::date + 1)::timestamp at time zone m.time_zone`] : []),
    ...(hidden === null
      ? []
      : [
          sql<boolean>`not (c.subject_type = 'user' and c.subject_id = any(${hidden}::text[]))`,
          ...(userIds?.length ? [sql<boolean>`c.user_id <> all(${hidden}::uuid[])`] : []),
        ]),
  ]
}

const microsOf = sql`(extract(epoch from c.at) * 1000000)::bigint`

/** The condition that an entry `c` of a merchant of the scope is within its pair's groups; always true if all are seen whole. */
const inSight = (db: TenantDb) =>
  db.scope.every(({ groups }) => groups === 'all') ? [] : [db.narrow('change_log', 'c')]

/** The current name of a subject that has a page. Users are in a local table. */
const subjectName = (db: TenantDb) => sql`case c.subject_type
  when 'machine' then (select s.name from machines s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id)
  when 'group' then (select s.name from groups s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id)
  when 'client' then (select s.name from clients s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id)
  when 'media' then (select s.serial from medias s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id)
  when 'kiosk' then (select k.name from kiosks k where ${db.own('k')} and k.merchant_id = c.merchant_id and k.id::text = c.subject_id)
  when 'apiToken' then (select s.name from api_tokens s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = c.subject_id)
  end`

/** The latest value of a field of the record: some actions log only what they changed. */
const fact = (name: string) => sql`coalesce(c.after ->> ${sql.lit(name)}, c.before ->> ${sql.lit(name)})`

/** The alarm code of the change `c`. */
export const alarmCodeOf = (db: TenantDb) => sql`case when c.subject_type = 'alarm' then coalesce(${fact('code')},
  (select a.code from alarms a where ${db.own('a')} and a.merchant_id = c.merchant_id and a.id::text = c.subject_id)) end`

/** The command type of the change `c`. */
export const commandTypeOf = (db: TenantDb) => sql`case when c.subject_type = 'remoteCommand' then coalesce(
  case when ${fact('type')} ~ '^[0-9]{1,3}$' then (${fact('type')})::int end,
  (select r.type from remote_commands r where ${db.own('r')} and r.merchant_id = c.merchant_id and r.id::text = c.subject_id)) end`

/** The machine of the subject of the change `c`. */
const posIdOf = (db: TenantDb) => sql`case
  when c.subject_type = 'customConfiguration' then c.subject_id
  when c.subject_type in ('alarm', 'remoteCommand', 'note') then coalesce(${fact('posId')}, case c.subject_type
    when 'alarm' then (select a.machine_id::text from alarms a where ${db.own('a')} and a.merchant_id = c.merchant_id and a.id::text = c.subject_id)
    when 'remoteCommand' then (select r.machine_id::text from remote_commands r
      where ${db.own('r')} and r.merchant_id = c.merchant_id and r.id::text = c.subject_id) end)
  end`

/** The current name of that machine. */
export const posNameOf = (db: TenantDb) =>
  sql`(select s.name from machines s where ${db.own('s')} and s.merchant_id = c.merchant_id and s.id::text = ${posIdOf(db)})`

/** The columns of a change, from its row `c` and its merchant `m`. */
const listedColumns = (
  db: TenantDb,
  hidden: Hidden,
) => sql`c.id, c.merchant_id, m.name as merchant_name, m.time_zone, m.currency, c.at,
  c.user_id, ${userNameOf(hidden)} as user_name, c.action, c.subject_type, c.subject_id,
  ${subjectName(db)} as subject_name, ${alarmCodeOf(db)} as alarm_code, ${commandTypeOf(db)} as command_type, ${posIdOf(db)} as pos_id,
  ${posNameOf(db)} as pos_name, ${redactedFacts(db, 'before', hidden === null)} as before,
  ${redactedFacts(db, 'after', hidden === null)} as after, ${microsOf} as micros`

/** One change. */
export async function findChange(db: TenantDb, id: string, seesInvisible: boolean): Promise<ChangeRecord | undefined> {
  const hidden = await hiddenFrom(db, seesInvisible)
  const conditions = [db.narrow('change_log', 'c'), sql<boolean>`c.id = ${id}::uuid`, ...conditionsOf({}, hidden)]
  const { rows } = await sql<ChangeRecord>`
    select ${listedColumns(db, hidden)} from change_log c join merchants m on m.id = c.merchant_id
    where ${allOf(conditions)}`.execute(db.query)
  return rows[0]
}

/** The names of groups, clients and machines of a merchant by id; of deleted ones the last name. */
export async function namesOf(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const now = (['groups', 'clients', 'machines'] as const).map(
    (table) => sql`select n.id::text as id, n.name, true as is_now from ${sql.table(table)} n
      where ${db.narrow(table, 'n')} and n.merchant_id = ${merchantId}::uuid and ${among('n.id', [...ids], 'uuid')}`,
  )
  const { rows } = await sql<{ id: string; name: string }>`${sql.join(now, sql` union all `)}
    union all select c.subject_id, c.before ->> 'name', false from change_log c
    where ${db.narrow('change_log', 'c')} and c.merchant_id = ${merchantId}::uuid
      and c.subject_type in ('group', 'client', 'machine') and ${among('c.subject_id', [...ids], 'text')}
      and c.action in ('group.delete', 'client.delete', 'machine.delete') and c.before ->> 'name' is not null
    order by is_now`.execute(db.query)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * A page of the log by time. With a cursor the cost is the same at any depth: each merchant's index is read from the cursor on. Without
 * one the page is counted from the start, up to the count limit.
 */
export async function listChanges(
  db: TenantDb,
  filters: ChangeLogFilters,
  page: Page & Directed & { cursor?: string | undefined },
  seesInvisible: boolean,
) {
  const hidden = await hiddenFrom(db, seesInvisible)
  const cursor = readCursor(page.cursor)
  const oldestFirst = page.ordType === 'ASC'
  // Going back reads in reverse order and reverses the rows at the end.
  const ascending = cursor?.back ? !oldestFirst : oldestFirst
  const direction = sql.raw(ascending ? 'asc' : 'desc')
  const offset = cursor ? 0 : offsetOf(page)
  const length = page.size + 1
  const place =
    cursor && sql`(timestamptz 'epoch' + ${cursor.micros}::bigint * interval '1 microsecond', ${cursor.id}::uuid)`
  const behind = place ? [sql<boolean>`(c.at, c.id) ${sql.raw(ascending ? '>' : '<')} ${place}`] : []
  const conditions = [
    db.own('c'),
    sql<boolean>`c.merchant_id = m.id`,
    ...inSight(db),
    ...behind,
    ...conditionsOf(filters, hidden),
  ]
  const rows = await rowsWithin(
    db,
    { offset, length },
    (part) => sql<ChangeRecord>`
    select ${listedColumns(db, hidden)} from (
      select c.* from merchants m cross join lateral (
        select c.* from change_log c where ${allOf(conditions)}
        order by c.at ${direction}, c.id ${direction} limit ${part.offset + part.length}
      ) c
      where ${db.narrow('merchants', 'm')}
      order by c.at ${direction}, c.id ${direction} limit ${part.length} offset ${part.offset}
    ) c
    join merchants m on m.id = c.merchant_id
    order by c.at ${direction}, c.id ${direction}`,
    sql`r.at ${direction}, r.id ${direction}`,
  )
  const hasMore = rows.length > page.size
  const onPage = rows.slice(0, page.size)
  if (cursor?.back) onPage.reverse()
  const first = onPage[0]
  const last = onPage.at(-1)
  const hasNext = cursor?.back ? true : hasMore
  const hasPrevious = cursor?.back ? hasMore : cursor !== undefined || offset > 0
  return {
    rows: onPage,
    ...(await countChanges(db, filters, hidden)),
    next: hasNext && last ? writeCursor({ micros: last.micros, id: last.id, back: false }) : null,
    previous: hasPrevious && first ? writeCursor({ micros: first.micros, id: first.id, back: true }) : null,
  }
}

async function countChanges(db: TenantDb, filters: ChangeLogFilters, hidden: Hidden) {
  const conditions = [db.own('c'), sql<boolean>`c.merchant_id = m.id`, ...inSight(db), ...conditionsOf(filters, hidden)]
  return countEach(
    db,
    sql`select 1 from merchants m cross join lateral (
        select 1 from change_log c where ${allOf(conditions)} limit ${countLimit + 1}
      ) c where ${db.narrow('merchants', 'm')}`,
  )
}

/**
 * The distinct values of an indexed column, with one index lookup each, however many rows there are. Each lookup is a query: a
 * distributed database runs no recursive ones.
 */
async function valuesOf(db: TenantDb, column: 'user_id' | 'action' | 'subject_type'): Promise<string[]> {
  const values: string[] = []
  const at = sql.ref(`c.${column}`)
  for (;;) {
    const last = values.at(-1)
    const beyond = last === undefined ? sql<boolean>`${at} is not null` : sql<boolean>`${at} > ${last}`
    const each = await gathered(
      db,
      sql`select found.value from merchants m cross join lateral (
        select ${at} as value from change_log c
        where ${allOf([db.own('c'), sql<boolean>`c.merchant_id = m.id`, ...inSight(db), beyond])} order by ${at} limit 1
      ) found
      where ${db.narrow('merchants', 'm')}`,
    )
    const { rows } = await sql<{ value: string }>`
      select value from ${each} found order by value limit 1`.execute(db.query)
    const [next] = rows
    if (!next) return values
    values.push(next.value)
  }
}

/** The filter options of the log: users, actions and subjects that occur. */
export async function changeChoices(db: TenantDb, seesInvisible: boolean) {
  const users = await valuesOf(db, 'user_id')
  const actions = await valuesOf(db, 'action')
  const types = await valuesOf(db, 'subject_type')
  const hidden = new Set(await hiddenFrom(db, seesInvisible))
  const latest = await gathered(
    db,
    sql`select u.id, c.user_name as name, c.at, c.id as change_id from unnest(${users}::uuid[]) as u (id), merchants m
    cross join lateral (
      select c.user_name, c.at, c.id from change_log c
      where ${allOf([db.own('c'), sql<boolean>`c.merchant_id = m.id`, ...inSight(db)])} and c.user_id = u.id
      order by c.at desc, c.id desc limit 1
    ) c where ${db.narrow('merchants', 'm')}`,
  )
  const { rows: named } = await sql<{ id: string; name: string }>`
    select id, name from (select distinct on (id) id, name from ${latest} l order by id, at desc, change_id desc) named
    order by lower(name), id`.execute(db.query)
  return {
    people: named.filter(({ id }) => !hidden.has(id)),
    actions: actions.toSorted(),
    subjectTypes: types.toSorted(),
  }
}

/** The current names of users who still exist. */
export const namesOfUsers = async (doors: Doors, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await doors.withSystem(
    'change log',
    (db) =>
      db
        .selectFrom('users')
        .where(among('users.id', ids, 'uuid'))
        .select(['id', 'name'])
        .execute(),
    'single statement',
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
