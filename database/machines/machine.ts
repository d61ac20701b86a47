import { type RawBuilder, sql } from 'kysely'
import {
  type MachineFilters,
  type machineOrds,
  type WarrantyState,
  warrantySoonDays,
} from '#contract/machines/machine.ts'
import type { MachineState } from '#contract/machines/machine-state.ts'
import { type Connection, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { machineStateOf, posStatusByConnection } from '#domain/machines/machine-state.ts'
import { serialKey } from '#domain/machines/serial.ts'
import { isNoVendInSync } from '../catalogue/no-vend-sync.ts'
import {
  type BoxesRecord,
  isCashBoxFull,
  isSoldOut,
  needsWork,
  posStatusOf,
  rankOfState,
  stateOf,
} from '../facts/machine-state.ts'
import { eachOf } from '../frame/apart/apart.ts'
import { among, anyOf, machinesFound, when } from '../frame/conditions.ts'
import { countLimit, orderOf, type Page, pageOfAll, type Sorted } from '../frame/list.ts'
import { pageRows } from '../frame/prepared.ts'
import { seenBox } from '../frame/sights/blind-count.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { weeksWithData } from '../sales/first-day.ts'
import { isSale, vends } from '../sales/sales.ts'
import { sumsWithin } from '../sales/summed-sales.ts'
import { machineColumns } from './machine-columns.ts'

/** The state of a machine's warranty today in the machine's time zone. */
export const warrantyOf = sql<WarrantyState>`case
  when machines.warranty_until is null then 'none'
  when machines.warranty_until < (now() at time zone merchants.time_zone)::date then 'ended'
  when machines.warranty_until <= (now() at time zone merchants.time_zone)::date + ${sql.lit(warrantySoonDays)}::int then 'ending'
  else 'valid' end`

/**
 * The last day that the merchant has prepaid for a machine: three years from its association, by the merchant's own calendar; null
 * without that service.
 */
export const prepaidUntil = (db: TenantDb) => sql<
  string | null
>`(select ((machines.created_at at time zone merchants.time_zone)::date
    + interval '3 years' - interval '1 day')::date::text
  from merchant_details details where ${db.narrow('merchant_details', 'details')}
    and details.merchant_id = machines.merchant_id and details.prepaid_3_years)`

type Ord = (typeof machineOrds)[number]

/** Of the open alarms of a machine. */
const ofOpenAlarms = <T>(db: TenantDb, what: RawBuilder<T>) =>
  sql<T>`(select ${what} from alarms a where ${db.own('a')} and a.merchant_id = machines.merchant_id
    and a.machine_id = machines.id and a.status in ('active', 'notification'))`
const openAlarms = (db: TenantDb) => ofOpenAlarms(db, sql<number>`count(*)::int`)

/** The order of a list of machines; by default the worst first. */
export const machineOrdering = (db: TenantDb) =>
  orderOf<Ord>({
    by: {
      merchant: sql`lower(merchants.name)`,
      worstAlarm: ofOpenAlarms(db, sql`max(a.criticity) filter (where ${needsWork('a')})`),
      openAlarms: openAlarms(db),
      address: sql`lower(machines.address)`,
      sector: sql`machines.sector`,
      name: sql`machines.name_order`,
      serial: sql`machines.serial`,
      deviceType: sql`machines.device_type`,
      groupName: sql`lower(groups.name)`,
      state: rankOfState,
      posStatus: sql`${posStatusOf}`,
      lastSeenAt: sql`machines.last_seen_at`,
      lastSaleAt: sql`machines.last_sale_at`,
      lastAuditAt: sql`machines.last_audit_at`,
      signalPercent: sql`machines.signal_percent`,
      firmwareVersion: sql`machines.firmware_version`,
      cashInBox: seenBox(db, sql`machines.cash_in_box::float / nullif(machines.cash_box_capacity, 0)`, 'machines'),
      clientName: sql`lower(clients.name)`,
      createdAt: sql`machines.created_at`,
      updatedAt: sql`machines.updated_at`,
      warrantyUntil: sql`machines.warranty_until`,
    },
    first: 'state',
    ties: sql`machines.name_order, machines.id`,
  })

const shownMachines = (db: TenantDb) =>
  db
    .from('machines')
    .innerJoin('merchants', 'merchants.id', 'machines.merchant_id')
    .leftJoin('groups', (join) =>
      join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
    )
    .leftJoin('clients', (join) =>
      join.onRef('clients.merchant_id', '=', 'machines.merchant_id').onRef('clients.id', '=', 'machines.client_id'),
    )

/** Whether a machine has sent nothing for this many days, or never. */
export const isWithoutData = (machines: string, days: number) => {
  const lastSeen = sql.ref(`${machines}.last_seen_at`)
  return sql<boolean>`(${lastSeen} is null or ${lastSeen} < now() - make_interval(days => ${days}))`
}

type DayRange = MachineFilters['createdRangeDate']

/** An instant of a machine lies within days of its merchant's calendar. */
export const onDays = (column: string, { startDate, endDate }: NonNullable<DayRange>) => {
  const at = sql.ref(column)
  return sql<boolean>`(${at} >= coalesce(${startDate ?? null}::date::timestamp at time zone merchants.time_zone, '-infinity')
    and ${at} < coalesce((${endDate ?? null}::date + 1)::timestamp at time zone merchants.time_zone, 'infinity'))`
}

const daysBetween = (column: string, { startDate, endDate }: NonNullable<DayRange>) => {
  const day = sql.ref(column)
  return sql<boolean>`(${day} between coalesce(${startDate ?? null}::date, '-infinity') and coalesce(${endDate ?? null}::date, 'infinity'))`
}

/** Returns a function that builds a new query on the machines that match. */
export async function filteredMachines(db: TenantDb, filters: MachineFilters) {
  const isFound = await machinesFound(db, filters.search)
  const { hidden } = filters
  return () =>
    shownMachines(db)
      .where(hidden === 'all' ? sql<boolean>`true` : sql<boolean>`machines.hidden = ${hidden === 'only'}`)
      .where(when(filters.clientId, (id) => sql<boolean>`machines.client_id = ${id}`))
      .where(anyOf('machines.sector', filters.sectors, 'text'))
      .where(when(filters.planogramId, (id) => sql<boolean>`machines.planogram_id = ${id}`))
      .where(when(filters.noVendProfileId, (id) => sql<boolean>`machines.no_vend_profile_id = ${id}`))
      .where(when(filters.serial, (serial) => sql<boolean>`upper(machines.serial) = ${serialKey(serial)}`))
      .where(when(filters.warranties, (some) => sql<boolean>`${warrantyOf} = any(${some}::text[])`))
      .where(when(filters.createdRangeDate, (days) => onDays('machines.created_at', days)))
      .where(when(filters.lastUpdateRangeDate, (days) => onDays('machines.updated_at', days)))
      .where(when(filters.warrantyRangeDate, (days) => daysBetween('machines.warranty_until', days)))
      .where(anyOf('machines.group_id', filters.groupIds, 'uuid'))
      .where(anyOf('machines.device_type', filters.deviceTypes, 'text'))
      .where(anyOf('machines.connection', filters.connections, 'int'))
      .where(when(filters.posStatus, (some) => sql<boolean>`${posStatusOf} = any(${some}::int[])`))
      .where(anyOf('machines.firmware_version', filters.firmwareVersions, 'text'))
      .where(when(filters.withoutDataDays, (days) => isWithoutData('machines', days)))
      .where(anyOf('machines.id', filters.ids, 'uuid'))
      .where(when(filters.states, (some) => sql<boolean>`${stateOf} = any(${some}::text[])`))
      .where(
        when(
          filters.fullCashBox,
          (expected) => sql<boolean>`coalesce(${isCashBoxFull('machines')}, false) = ${expected}`,
        ),
      )
      .where(when(filters.soldOut, (expected) => sql<boolean>`(${isSoldOut(db, 'machines')} = ${expected})`))
      .where(isFound('machines.id'))
}

const withNeighbours = (db: TenantDb) =>
  shownMachines(db)
    .leftJoin('planograms', (join) =>
      join
        .onRef('planograms.merchant_id', '=', 'machines.merchant_id')
        .onRef('planograms.id', '=', 'machines.planogram_id'),
    )
    .leftJoin('no_vend_profiles', (join) =>
      join
        .onRef('no_vend_profiles.merchant_id', '=', 'machines.merchant_id')
        .onRef('no_vend_profiles.id', '=', 'machines.no_vend_profile_id'),
    )
    .select(machineColumns)
    // After the column of this name, which it replaces.
    .select(seenBox(db, sql<number | null>`machines.cash_in_box`, 'machines').as('cash_in_box'))
    .select([
      'merchants.name as merchant_name',
      'merchants.currency as currency',
      'merchants.time_zone as time_zone',
      'groups.name as group_name',
      'clients.name as client_name',
      'planograms.name as planogram_name',
      'no_vend_profiles.name as no_vend_profile_name',
      sql<
        boolean | null
      >`case when machines.no_vend_profile_id is not null then ${isNoVendInSync(db, 'machines')} end`.as(
        'is_no_vend_in_sync',
      ),
      stateOf.as('state'),
      posStatusOf.as('shown_pos_status'),
      warrantyOf.as('warranty'),
      prepaidUntil(db).as('prepaid_until'),
    ])
    .select(openAlarms(db).as('open_alarms'))
    .select(
      sql<{ code: string; since: string } | null>`(select json_build_object('code', a.code, 'since', a.created_at)
        from alarms a where ${db.own('a')} and a.merchant_id = machines.merchant_id and a.machine_id = machines.id
        and a.status in ('active', 'notification') and ${needsWork('a')}
        order by a.criticity desc, a.created_at limit 1)`.as('worst_alarm'),
    )

export type MachineRecord = Awaited<ReturnType<typeof findMachine>> & object

/** A page of machines with their further columns. */
export const listMachines = async (db: TenantDb, page: MachineFilters & Page & Sorted<Ord>) =>
  pageOfAll(db, page, {
    matching: await filteredMachines(db, page),
    order: machineOrdering(db)(page),
    id: 'machines.id',
    load: (ids, each) => pageRows(each.query, withNeighbours(each).where(among('machines.id', ids, 'uuid'))),
  })

/** Machines by their ids with their further columns; machines outside the scope are left out. */
export const findMachines = (db: TenantDb, ids: readonly string[]) =>
  withNeighbours(eachOf(db))
    .where(among('machines.id', ids, 'uuid'))
    .execute()

/** One machine with its further columns; undefined outside the scope. */
export const findMachine = (db: TenantDb, id: string) =>
  withNeighbours(eachOf(db)).where('machines.id', '=', id).executeTakeFirst()

/** Machines by state and POS status, and their cash boxes by merchant: each machine is read once. Hidden machines are left out. */
export async function countMachines(db: TenantDb) {
  const rows = await db
    .from('machines')
    .where('machines.hidden', '=', false)
    .select(['machines.merchant_id as merchantId', 'machines.pos_status as byAlarms', 'machines.connection'])
    .select([
      sql<number>`count(*)::int`.as('n'),
      sql<number | null>`sum(${seenBox(db, sql`coalesce(machines.cash_in_box, 0)`, 'machines')})::bigint`.as('cash'),
      sql<number>`(count(*) filter (where ${isCashBoxFull('machines')}))::int`.as('fullBoxes'),
    ])
    .groupBy(['machines.merchant_id', 'machines.pos_status', 'machines.connection'])
    .execute()
  const counted = rows.map((row) => {
    const byAlarms = row.byAlarms as PosStatus
    const connection = row.connection as Connection
    return {
      ...row,
      state: machineStateOf({ byAlarms, connection }),
      posStatus: Math.max(byAlarms, posStatusByConnection[connection]),
    }
  })
  const sum = (some: typeof counted) => some.reduce((total, row) => total + row.n, 0)
  const inState = (state: MachineState) => sum(counted.filter((row) => row.state === state))
  const withStatus = (name: keyof typeof posStatuses) =>
    sum(counted.filter((row) => row.posStatus === posStatuses[name]))
  const boxes = [...Map.groupBy(counted, ({ merchantId }) => merchantId)].map(
    ([merchantId, own]): BoxesRecord => ({
      merchantId,
      cash: own.reduce((total, { cash }) => total + (cash ?? 0), 0),
      fullBoxes: own.reduce((total, { fullBoxes }) => total + fullBoxes, 0),
    }),
  )
  return {
    counts: {
      total: sum(counted),
      posStatuses: {
        correct: withStatus('correct'),
        warning: withStatus('warning'),
        critical: withStatus('critical'),
      },
    },
    states: {
      blocked: inState('blocked'),
      silent: inState('silent'),
      warning: inState('warning'),
      selling: inState('selling'),
    },
    boxes,
  }
}

/** Machines that match, by name, up to the count limit. */
export async function listAllMachines(db: TenantDb, filters: MachineFilters) {
  const matching = await filteredMachines(db, filters)
  const rows = await matching()
    .select(['machines.id', 'machines.merchant_id', 'merchants.name as merchant_name', 'machines.serial'])
    .select(['machines.name', 'machines.device_type', 'machines.group_id', 'groups.name as group_name'])
    .select(['machines.client_id', 'clients.name as client_name', 'machines.hidden', 'machines.connection'])
    .select(['machines.pos_status', stateOf.as('state')])
    .orderBy(sql`machines.name_order, machines.id`)
    .limit(countLimit + 1)
    .execute()
  const countable = rows.slice(0, countLimit)
  return { rows: countable, total: countable.length, capped: rows.length > countLimit }
}

/** Days in a machine's small chart. */
export const daysShown = 14

export interface SalesOfMachine {
  machineId: string
  /** Oldest first, `daysShown` values; the last is today in the merchant's zone. */
  value: number[]
  vends: number[]
}

/** Sales of some machines over the last local days. */
export async function salesByDay(db: TenantDb, machineIds: string[], now: Date): Promise<Map<string, SalesOfMachine>> {
  const stretch = { from: sql<string>`m.day - ${daysShown - 1}::int`, to: sql<string>`m.day` }
  const rows = await pageRows(
    eachOf(db).query,
    sql<{ machineId: string; age: number; value: number; vends: number }>`
    select m.machine_id as "machineId", m.day - s.day as age, sum(s.value)::bigint as value, ${vends('s')} as vends
    from (
      select p.merchant_id as id, p.id as machine_id, m.time_zone, (${now}::timestamptz at time zone m.time_zone)::date as day
      from machines p join merchants m on m.id = p.merchant_id
      where ${db.narrow('machines', 'p')} and p.id = any(${machineIds}::uuid[])
    ) m
    cross join lateral (${sumsWithin(db, stretch, () => sql`t.machine_id = m.machine_id and ${isSale('t')}`)}) s
    group by 1, 2`,
  )
  const sales = new Map<string, SalesOfMachine>()
  for (const id of machineIds) {
    sales.set(id, { machineId: id, value: new Array(daysShown).fill(0), vends: new Array(daysShown).fill(0) })
  }
  for (const row of rows) {
    const index = daysShown - 1 - row.age
    const of = sales.get(row.machineId)
    if (!of || index < 0 || index >= daysShown) continue
    of.value[index] = row.value
    of.vends[index] = row.vends
  }
  return sales
}

export interface UsualSales {
  value: number
  /** The days of the average. */
  days: number
}

/** A machine's average turnover up to this time of day on the last four same weekdays; days before its data begin do not count. */
export async function usualSalesByNow(db: TenantDb, machineId: string, now: Date): Promise<UsualSales> {
  const { rows } = await sql<UsualSales>`
    select coalesce(sum(x.value), 0)::bigint / greatest(1, count(*)) as value, count(*)::int as days
    from (
      select p.merchant_id, p.id, local.now::date - 7 * week as day, (local.now - make_interval(days => 7 * week)) at time zone m.time_zone as until
      from machines p join merchants m on m.id = p.merchant_id
      cross join lateral (select ${now}::timestamptz at time zone m.time_zone as now) as local
      cross join lateral (${weeksWithData(db, sql`local.now::date`)}) counted
      cross join generate_series(1, counted.weeks) as week
      where ${db.narrow('machines', 'p')} and p.id = ${machineId}
        and local.now::date - 7 * week > (p.created_at at time zone m.time_zone)::date
    ) d
    cross join lateral (
      select sum(s.value) as value from sales_hourly s
      where ${db.own('s')} and s.merchant_id = d.merchant_id and s.machine_id = d.id and s.day = d.day and s.hour < d.until and ${isSale('s')}
    ) x`.execute(db.query)
  return rows[0] ?? { value: 0, days: 0 }
}
