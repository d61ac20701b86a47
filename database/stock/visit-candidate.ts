import { sql } from 'kysely'
import type { VisitCandidate } from '#contract/stock/round.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import type { VisitFacts } from '#domain/stock/round.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { isSale } from '../sales/sales.ts'

/** The sales of so many days are a machine's usual ones. */
const usualDays = 28

/** At most so many machines are compared. */
export const mostCompared = 10_000

/** The machine of a candidate, and what it is judged by. */
export interface VisitFactsRow
  extends VisitFacts,
    Pick<
      FactsOf<typeof VisitCandidate>,
      | 'deviceType'
      | 'groupName'
      | 'clientName'
      | 'clientPhone'
      | 'address'
      | 'latitude'
      | 'longitude'
      | 'manageStock'
      | 'pieces'
    > {
  id: string
  name: string
  serial: string
  /** Pieces in it and capacity, of selections with both. */
  level: number
  capacity: number
  roundId: string | null
  roundName: string | null
  roundDay: string | null
}

const isSelection = sql`s.stock_type is distinct from ${sql.lit(stockTypes.hotTotal)}`

/** Levels of the machine `m`. The total of its hot drinks can be out or low, but has no pieces of its own. */
const levels = (db: TenantDb) => sql`
  select count(*)::int as selections, count(*) filter (where s.status = ${sql.lit(stockStatuses.out)})::int as out,
    count(*) filter (where s.status = ${sql.lit(stockStatuses.low)})::int as low,
    coalesce(sum(least(s.level, s.capacity)) filter (where ${isSelection}), 0)::int as level, coalesce(sum(s.capacity) filter (where ${isSelection}), 0)::int as capacity,
    coalesce(sum(greatest(s.capacity - s.level, 0)) filter (where ${isSelection}), 0)::int as pieces
  from machine_stock s where ${db.own('s')} and s.merchant_id = m.merchant_id and s.machine_id = m.id and not s.gone`

/** What decides whether machines of one merchant are worth a visit, for all that are shown. */
export async function visitFacts(db: TenantDb, now: Date): Promise<VisitFactsRow[]> {
  const { rows } = await sql<VisitFactsRow>`
    select m.id, m.name, m.serial, m.device_type as "deviceType", g.name as "groupName", c.name as "clientName",
      c.phone as "clientPhone", m.address, m.latitude, m.longitude, m.manage_stock as "manageStock",
      stock.selections, stock.out, stock.low, stock.level, stock.capacity, stock.pieces,
      -- Only the stock of managed machines is followed; others are known by their reports.
      case when supply.empty_at is not null
        then greatest(0, floor(extract(epoch from supply.empty_at - ${now}::timestamptz) / 86400)) end::int as "daysUntilEmpty",
      supply.lost_per_day::float as "lostPerDay",
      blocked.code as "blockedBy", coalesce(usual.per_day, 0)::float as "usualPerDay",
      m.cash_in_box as "cashInBox", m.cash_box_capacity as "cashBoxCapacity",
      extract(epoch from ${now}::timestamptz - coalesce(m.last_audit_at, m.created_at))::float / 3600 as "hoursSinceAudit",
      settings.audit_exceeded_hours as "auditExceededHours",
      planned.id as "roundId", planned.name as "roundName", planned.day::text as "roundDay"
    from machines m
    join merchant_settings settings on ${db.own('settings')} and settings.merchant_id = m.merchant_id
    left join groups g on ${db.own('g')} and g.merchant_id = m.merchant_id and g.id = m.group_id
    left join clients c on ${db.own('c')} and c.merchant_id = m.merchant_id and c.id = m.client_id
    cross join lateral (${levels(db)}) stock
    left join machine_supplies supply on ${db.own('supply')} and supply.merchant_id = m.merchant_id and supply.machine_id = m.id
    left join lateral (
      select a.code from alarms a where ${db.own('a')} and a.merchant_id = m.merchant_id and a.machine_id = m.id
        and a.status in ('active', 'notification') and a.criticity = ${alarmCriticities.blocking}
      order by a.created_at limit 1) blocked on true
    left join lateral (
      select sum(d.value)::float / ${usualDays}::int as per_day from sales_daily d
      where ${db.own('d')} and d.merchant_id = m.merchant_id and d.machine_id = m.id
        and d.day >= ${now}::date - ${usualDays}::int and d.day < ${now}::date and ${isSale('d')}) usual on true
    left join lateral (
      select r.id, r.name, r.day from round_stops s join rounds r on ${db.own('r')} and r.merchant_id = s.merchant_id and r.id = s.round_id
      where ${db.own('s')} and s.merchant_id = m.merchant_id and s.machine_id = m.id and s.status = 'open'
        and r.status in ('planned', 'underway') order by r.day limit 1) planned on true
    where ${db.narrow('machines', 'm')} and not m.hidden
    order by m.id limit ${mostCompared + 1}`.execute(db.query)
  return rows
}
