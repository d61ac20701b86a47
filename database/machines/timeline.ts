import { type RawBuilder, sql } from 'kysely'
import { type TimelineEntry, timelineKinds } from '#contract/machines/machine.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { isOfOwnFeature } from '../alarms/alarm.ts'
import { lastlyBy } from '../frame/redacted-name.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface TimelineRecord extends Omit<TimelineEntry, 'at'> {
  at: Date
  by_id: string | null
}

/** More scheduled audits than a machine has in a day. */
const mostOfDay = 300

interface Machine {
  merchant_id: string
  id: string
  time_zone: string
}

/** What is listed: the kinds, or all. */
interface Listed {
  kinds?: readonly TimelineEntry['kind'][] | undefined
  size: number
}

interface Line {
  id: RawBuilder<unknown>
  at: RawBuilder<unknown>
  code?: RawBuilder<unknown>
  status?: RawBuilder<unknown>
  criticity?: RawBuilder<unknown>
  by?: RawBuilder<unknown>
  byId?: RawBuilder<unknown>
  text?: RawBuilder<unknown>
  count?: RawBuilder<unknown>
  day?: RawBuilder<unknown>
}

const none = sql`null`

/** The columns of a line of the story. */
const lineOf = (kind: TimelineEntry['kind'], line: Line) => sql`
  ${line.id}::text as id, ${sql.lit(kind)}::text as kind, ${line.at} as at, ${line.code ?? none}::text as code,
  ${line.status ?? none}::text as status, ${line.criticity ?? none}::int as criticity, ${line.by ?? none}::text as by,
  ${line.byId ?? none}::uuid as by_id, ${line.text ?? none}::text as text, ${line.count ?? sql`1`}::int as count, ${line.day ?? none}::text as day`

/**
 * Audits of a machine: the scheduled ones of a local day as one line, at the time of the last, others alone. A day is before an instant if all of
 * its scheduled audits are, so that it is on one page only.
 */
function auditsOf(
  machine: Machine,
  isOfMachine: RawBuilder<unknown>,
  before: Date,
  size: number,
): RawBuilder<unknown>[] {
  const isScheduled = sql`r.origin = ${sql.lit(auditOrigins.scheduled)}`
  const localDay = sql`(r.read_at at time zone ${machine.time_zone})::date`
  const dayEnd = sql`((${before}::timestamptz at time zone ${machine.time_zone})::date + 1)::timestamp at time zone ${machine.time_zone}`
  const last = (column: RawBuilder<unknown>) => sql`(array_agg(${column} order by r.read_at desc, r.id desc))[1]`
  const single = lineOf('audit', { id: sql`r.id`, at: sql`r.read_at`, code: sql`r.crc`, status: sql`r.origin` })
  const ofDay = lineOf('audit', {
    id: last(sql`r.id`),
    at: sql`max(r.read_at)`,
    // A fault of the day is not hidden by a later reading.
    code: sql`coalesce(max(r.crc) filter (where r.crc = 'fails'), ${last(sql`r.crc`)})`,
    status: sql.lit(auditOrigins.scheduled),
    count: sql`count(*)`,
    day: sql`case when count(*) > 1 then r.day end`,
  })
  return [
    sql`(select ${single} from audits r where ${isOfMachine} and r.read_at < ${before} and not ${isScheduled}
      order by r.read_at desc limit ${size})`,
    sql`(select ${ofDay} from (
        select r.id, r.read_at, r.crc, ${localDay} as day from audits r
        where ${isOfMachine} and r.read_at < ${dayEnd} and ${isScheduled}
        order by r.read_at desc limit ${size * mostOfDay}) r
      group by r.day having max(r.read_at) < ${before} order by max(r.read_at) desc limit ${size})`,
  ]
}

/** Alarms of a machine: when they began, ended and were opened again. */
function alarmsOf(db: TenantDb, of: (alias: string) => RawBuilder<unknown>, before: Date, size: number) {
  const isVisible = sql`${of('a')} and ${isOfOwnFeature(db, 'a')}`
  const reopener = lastlyBy(db, 'alarm.reopen', 'alarm', { merchantId: sql`a.merchant_id`, subjectId: sql`a.id` })
  const common = { code: sql`a.code`, status: sql`a.status`, criticity: sql`a.criticity` }
  const ofAlarms = (kind: TimelineEntry['kind'], at: RawBuilder<unknown>, line: Omit<Line, 'at'>) =>
    sql`(select ${lineOf(kind, { ...common, ...line, at })} from alarms a where ${isVisible} and ${at} < ${before} order by ${at} desc limit ${size})`
  const ofPauses = (kind: TimelineEntry['kind'], at: RawBuilder<unknown>, line: Omit<Line, 'at'>) => sql`
    (select ${lineOf(kind, { ...common, ...line, at })}
      from alarm_pauses p join alarms a on ${db.own('a')} and a.merchant_id = p.merchant_id and a.id = p.alarm_id
      where ${of('p')} and ${isOfOwnFeature(db, 'a')} and ${at} < ${before} order by ${at} desc limit ${size})`
  const id = (ending: string) => sql`(a.id::text || ${sql.lit(ending)})`
  const undone = { by: sql`a.reopened_by`, byId: reopener }
  return {
    alarm: [
      ofAlarms('alarm', sql`a.created_at`, { id: sql`a.id`, text: sql`a.message` }),
      ofPauses('alarm', sql`p.raised_at`, {
        id: sql`(a.id::text || '.again.' || extract(epoch from p.raised_at))`,
        text: sql`a.message`,
      }),
    ],
    repair: [
      ofAlarms('repair', sql`a.repaired_at`, {
        id: id('.repair'),
        by: sql`a.repaired_by`,
        byId: sql`a.repaired_by_id`,
        text: sql`a.repair_note`,
      }),
      ofPauses('repair', sql`p.ended_at`, {
        id: sql`(a.id::text || '.end.' || extract(epoch from p.ended_at))`,
        status: sql.lit('repaired'),
      }),
      ofAlarms('repair', sql`a.undone_repair_at`, { id: id('.undone'), ...undone }),
    ],
    reopen: [ofAlarms('reopen', sql`a.reopened_at`, { id: id('.reopen'), ...undone })],
  }
}

/** The events of a machine's own row. */
const eventOf = (
  kind: 'boot' | 'association',
  machine: Machine,
  before: Date,
  at: RawBuilder<unknown>,
  text: RawBuilder<unknown>,
) =>
  sql`(select ${lineOf(kind, { id: sql`(p.id::text || ${sql.lit(`.${kind}`)})`, at, text })} from machines p
    where p.merchant_id = ${machine.merchant_id} and p.id = ${machine.id} and ${at} < ${before})`

/**
 * A machine's history before an instant, newest first. Each source returns at most `size` rows, so the cost does not depend on the length
 * of the history.
 */
export async function timelineOf(
  db: TenantDb,
  machine: Machine,
  before: Date,
  { kinds, size }: Listed,
): Promise<TimelineRecord[]> {
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.merchant_id`)} = ${machine.merchant_id} and ${sql.ref(`${alias}.machine_id`)} = ${machine.id}`
  const executed = sql`coalesce(c.executed_at, c.created_at)`
  const command = lineOf('command', {
    id: sql`c.id`,
    at: executed,
    code: sql`c.type`,
    status: sql`c.status`,
    by: sql`c.created_by_name`,
    byId: sql`c.created_by`,
    text: sql`c.result`,
  })
  const note = lineOf('note', {
    id: sql`n.id`,
    at: sql`n.created_at`,
    by: sql`n.created_by_name`,
    byId: sql`n.created_by`,
    text: sql`n.note`,
  })
  const sources: Record<TimelineEntry['kind'], readonly RawBuilder<unknown>[]> = {
    ...alarmsOf(db, of, before, size),
    command: [
      sql`(select ${command} from remote_commands c where ${of('c')} and ${executed} < ${before} order by ${executed} desc limit ${size})`,
    ],
    audit: auditsOf(machine, of('r'), before, size),
    note: [
      sql`(select ${note} from notes n where ${of('n')} and n.created_at < ${before} order by n.created_at desc limit ${size})`,
    ],
    boot: [eventOf('boot', machine, before, sql`p.last_boot_at`, sql`p.firmware_version`)],
    association: [eventOf('association', machine, before, sql`p.created_at`, sql`p.serial`)],
  }
  const listed = kinds?.length ? [...new Set(kinds)] : timelineKinds
  const lines = sql.join(
    listed.flatMap((kind) => sources[kind]),
    sql` union all `,
  )
  const { rows } = await sql<TimelineRecord>`
    select * from (${lines}) lines order by at desc, id limit ${size}`.execute(db.query)
  return rows
}
