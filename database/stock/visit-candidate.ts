import { type RawBuilder, sql } from 'kysely'
import type { VisitCandidate } from '#contract/stock/round.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { stockStatuses, stockTypes } from '#contract/vocabulary/stock.ts'
import { emptySoonDays, needsUsualSales, type VisitFacts, worthCollectingPercent } from '#domain/stock/round.ts'
import { machinesFound } from '../frame/conditions.ts'
import { inOrderOf } from '../frame/list.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'

export interface VisitFactsRow extends VisitFacts {
  id: string
}

/** Machines by id, or machines that may be worth a visit within a number of days (with its fraction). */
type Which = { posIds: readonly string[] } | { within: number; search: string | undefined }

const dayMs = 86_400_000

/** Every machine with a reason for a visit, and some without: `visitReasons` decides. */
const mayHaveReason = (
  now: Date,
  within: number,
) => sql<boolean>`(short.machine_id is not null or blocked.machine_id is not null
  or supply.empty_at < ${new Date(now.getTime() + (emptySoonDays(within) + 1) * dayMs)}
  or (m.cash_box_capacity > 0 and m.cash_in_box * 100 >= m.cash_box_capacity * ${sql.lit(worthCollectingPercent)})
  or coalesce(m.last_audit_at, m.created_at) < ${now}::timestamptz - make_interval(hours => settings.audit_exceeded_hours))`

/**
 * What decides whether machines of one merchant are worth a visit. Short stock and blocking alarms are read once for all machines; what a machine
 * usually sells is looked up for those whose estimate needs it.
 */
export async function visitFacts(db: TenantDb, now: Date, which: Which): Promise<VisitFactsRow[]> {
  const isMeant = 'posIds' in which ? sql`m.id = any(${which.posIds}::uuid[])` : await isFoundAndDue(db, now, which)
  const { rows } = await sql<Omit<VisitFactsRow, 'selections' | 'usualPerDay'>>`
    select m.id, coalesce(short.out, 0) as out, coalesce(short.low, 0) as low,
      -- Only the stock of managed machines is followed; others are known by their reports.
      case when supply.empty_at is not null
        then greatest(0, floor(extract(epoch from supply.empty_at - ${now}::timestamptz) / 86400)) end::int as "daysUntilEmpty",
      supply.lost_per_day::float as "lostPerDay", blocked.code as "blockedBy",
      m.cash_in_box as "cashInBox", m.cash_box_capacity as "cashBoxCapacity",
      extract(epoch from ${now}::timestamptz - coalesce(m.last_audit_at, m.created_at))::float / 3600 as "hoursSinceAudit",
      settings.audit_exceeded_hours as "auditExceededHours"
    from machines m
    join merchant_settings settings on ${db.own('settings')} and settings.merchant_id = m.merchant_id
    left join machine_supplies supply on ${db.own('supply')} and supply.merchant_id = m.merchant_id and supply.machine_id = m.id
    left join (
      select s.merchant_id, s.machine_id, count(*) filter (where s.status = ${sql.lit(stockStatuses.out)})::int as out,
        count(*) filter (where s.status = ${sql.lit(stockStatuses.low)})::int as low
      from machine_stock s
      where ${db.own('s')} and s.status in (${sql.lit(stockStatuses.out)}, ${sql.lit(stockStatuses.low)}) and not s.gone
      group by 1, 2
    ) short on short.merchant_id = m.merchant_id and short.machine_id = m.id
    left join (
      select distinct on (a.merchant_id, a.machine_id) a.merchant_id, a.machine_id, a.code from alarms a
      where ${db.own('a')} and a.status in ('active', 'notification') and a.criticity = ${sql.lit(alarmCriticities.blocking)}
      order by a.merchant_id, a.machine_id, a.created_at
    ) blocked on blocked.merchant_id = m.merchant_id and blocked.machine_id = m.id
    where ${db.narrow('machines', 'm')} and not m.hidden and ${isMeant}
    order by m.id`.execute(db.query)
  const usual = await usualSales(db, rows.filter(needsUsualSales))
  return rows.map((row) => ({ ...row, ...(usual.get(row.id) ?? { selections: 0, usualPerDay: 0 }) }))
}

async function isFoundAndDue(db: TenantDb, now: Date, { within, search }: Extract<Which, { within: number }>) {
  const isFound = await machinesFound(db, search)
  return sql`${isFound('m.id')} and ${mayHaveReason(now, within)}`
}

/** What the estimates of some machines need: their number of selections, and the turnover of their usual day. */
async function usualSales(db: TenantDb, machines: readonly Pick<VisitFactsRow, 'id' | 'blockedBy'>[]) {
  const ids = machines.map(({ id }) => id)
  // A blocked machine loses the sales of all selections, however many it has.
  const selling = machines.filter(({ blockedBy }) => blockedBy === null).map(({ id }) => id)
  const usual = new Map<string, { selections: number; usualPerDay: number }>()
  if (ids.length === 0) return usual
  const { rows } = await sql<{ id: string; selections: number; usualPerDay: number }>`
    select given.id, coalesce(stock.selections, 0) as selections, coalesce(sold.per_day, 0) as "usualPerDay"
    from unnest(${ids}::uuid[]) as given (id)
    left join (
      select s.machine_id, count(*)::int as selections from machine_stock s
      where ${db.own('s')} and s.machine_id = any(${selling}::uuid[]) and not s.gone group by 1
    ) stock on stock.machine_id = given.id
    left join machine_usual_sales sold on ${db.own('sold')} and sold.machine_id = given.id`.execute(db.query)
  for (const { id, ...sums } of rows) usual.set(id, sums)
  return usual
}

/** What follows from a machine's facts. */
type Weighed = 'reasons' | 'daysUntilEmpty' | 'lostSales' | 'cashInBox' | 'atStake'
export interface CandidateRow
  extends Omit<FactsOf<typeof VisitCandidate>, 'posId' | 'posName' | 'posSerial' | 'round' | 'fillPercent' | Weighed> {
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

const isSelection: RawBuilder<boolean> = sql`s.stock_type is distinct from ${sql.lit(stockTypes.hotTotal)}`

/** What is shown of some machines, in their order. The total of hot drinks has no pieces of its own. */
export async function candidateRows(db: TenantDb, ids: readonly string[]): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CandidateRow>`
    select m.id, m.name, m.serial, m.device_type as "deviceType", g.name as "groupName", c.name as "clientName",
      c.phone as "clientPhone", m.address, m.latitude, m.longitude, m.manage_stock as "manageStock", stock.level, stock.capacity, stock.pieces,
      planned.id as "roundId", planned.name as "roundName", planned.day::text as "roundDay"
    from machines m
    left join groups g on ${db.own('g')} and g.merchant_id = m.merchant_id and g.id = m.group_id
    left join clients c on ${db.own('c')} and c.merchant_id = m.merchant_id and c.id = m.client_id
    cross join lateral (
      select coalesce(sum(least(s.level, s.capacity)), 0)::int as level, coalesce(sum(s.capacity), 0)::int as capacity,
        coalesce(sum(greatest(s.capacity - s.level, 0)), 0)::int as pieces
      from machine_stock s
      where ${db.own('s')} and s.merchant_id = m.merchant_id and s.machine_id = m.id and not s.gone and ${isSelection}
    ) stock
    left join lateral (
      select r.id, r.name, r.day from round_stops s join rounds r on ${db.own('r')} and r.merchant_id = s.merchant_id and r.id = s.round_id
      where ${db.own('s')} and s.merchant_id = m.merchant_id and s.machine_id = m.id and s.status = 'open'
        and r.status in ('planned', 'underway') order by r.day limit 1) planned on true
    where ${db.narrow('machines', 'm')} and m.id = any(${ids}::uuid[])`.execute(db.query)
  return inOrderOf(ids, rows)
}
