import { sql } from 'kysely'
import type { AlarmFilters, alarmOrds } from '#contract/alarms/alarm.ts'
import { alarmFeatures } from '#contract/vocabulary/alarm.ts'
import { posStatusByAlarms } from '#domain/machines/machine-state.ts'
import { isShown } from '../facts/machine-state.ts'
import { among, anyOf, inPeriod, machinesFound, when } from '../frame/conditions.ts'
import { hasFeature } from '../frame/has-feature.ts'
import { exactLimit, orderOf, type Page, pageByIds, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'
import { wasAt } from '../sales/terms-of-day.ts'
import { markLateStretches } from '../sums/changed-days.ts'

type Ord = (typeof alarmOrds)[number]

/** The order of a list of alarms; by default the newest first. */
export const alarmOrdering = orderOf<Ord>({
  by: {
    createdAt: sql`alarms.created_at`,
    lastAt: sql`alarms.last_at`,
    criticity: sql`alarms.criticity`,
    posName: sql`machines.name_order`,
    merchant: sql`lower(merchants.name)`,
    group: sql`lower(groups.name)`,
    category: sql`alarms.category`,
    source: sql`alarms.source`,
    deviceType: sql`machines.device_type`,
    detail: sql`lower(coalesce(alarms.message, alarms.detail))`,
    count: sql`alarms.count`,
    mcbf: sql`alarms.mcbf`,
    acknowledgedUntil: sql`alarms.acknowledged_until`,
    remainingCycles: sql`alarms.remaining_cycles`,
    code: sql`alarms.code`,
    status: sql`alarms.status`,
    repairedAt: sql`alarms.repaired_at`,
  },
  first: 'createdAt',
  falling: 'all',
  full: ['createdAt', 'criticity', 'code', 'status'],
  // Of alarms of one severity, the newest first.
  ties: sql`alarms.created_at desc, alarms.id desc`,
})

/** False if the alarm belongs to a feature that its merchant does not have. */
export const isOfOwnFeature = (db: TenantDb, alarm: string) =>
  sql<boolean>`${sql.join(
    Object.entries(alarmFeatures).map(
      ([code, feature]) => sql`(${sql.ref(`${alarm}.code`)} <> ${code} or ${hasFeature(db, feature, alarm)})`,
    ),
    sql` and `,
  )}`

/** Every alarm has a machine: joined loosely, it is looked up only if a filter, an order or a column needs it. */
const joined = (db: TenantDb) =>
  db
    .from('alarms')
    .innerJoin('merchants', 'merchants.id', 'alarms.merchant_id')
    .leftJoin('machines', (join) =>
      join.onRef('machines.merchant_id', '=', 'alarms.merchant_id').onRef('machines.id', '=', 'alarms.machine_id'),
    )
    .leftJoin('groups', (join) =>
      join.onRef('groups.merchant_id', '=', 'machines.merchant_id').onRef('groups.id', '=', 'machines.group_id'),
    )
    .where(isOfOwnFeature(db, 'alarms'))

const listedAlarms = (db: TenantDb) =>
  joined(db)
    .selectAll('alarms')
    .select([
      'merchants.name as merchant_name',
      'merchants.time_zone as time_zone',
      'machines.name as machine_name',
      'machines.serial as serial',
      'machines.device_type as device_type',
      'machines.last_sale_at as last_sale_at',
      'machines.group_id as group_id',
      'groups.name as group_name',
    ])
    .$narrowType<{ machine_name: string; serial: string; device_type: string }>()

/** The condition that an alarm's machine was at the chosen groups and clients when it began or, by `terms`, is there today. */
const atPlaces = (db: TenantDb, filters: Pick<AlarmFilters, 'groupIds' | 'clientIds' | 'terms'>) =>
  filters.terms === 'ofDay'
    ? wasAt(db, filters, {
        merchantId: sql`alarms.merchant_id`,
        machineId: sql`alarms.machine_id`,
        day: sql`(alarms.created_at at time zone merchants.time_zone)::date`,
      })
    : sql<boolean>`${anyOf('machines.group_id', filters.groupIds, 'uuid')}
        and ${anyOf('machines.client_id', filters.clientIds, 'uuid')}`

export type AlarmRecord = Awaited<ReturnType<typeof findAlarm>> & object

/** Returns a function that builds a new query on the alarms that match. */
export async function alarmsMatching(db: TenantDb, filters: AlarmFilters & { machineId?: string }) {
  const inside = await inPeriod(db, 'alarms', 'created_at', filters)
  const isFound = await machinesFound(db, filters.search)
  // Alarms of a hidden machine are listed only if the machine is named.
  const isOfNamed = filters.machineId !== undefined || Boolean(filters.posIds?.length)
  return () =>
    joined(db)
      .where(anyOf('alarms.status', filters.statuses, 'text'))
      .where(anyOf('alarms.criticity', filters.criticities, 'int'))
      .where(anyOf('alarms.code', filters.codes, 'text'))
      .where(anyOf('alarms.assignee_id', filters.assigneeIds, 'uuid'))
      .where(
        when(
          filters.isAcknowledged,
          (expected) => sql<boolean>`coalesce(alarms.acknowledged_until > now(), false) = ${expected}`,
        ),
      )
      .where(anyOf('alarms.category', filters.categories, 'text'))
      .where(anyOf('alarms.source', filters.sources, 'text'))
      .where(anyOf('machines.device_type', filters.deviceTypes, 'text'))
      .where(atPlaces(db, filters))
      .where(anyOf('alarms.machine_id', filters.posIds, 'uuid'))
      .where(inside)
      .where(isOfNamed ? sql<boolean>`true` : isShown(db, 'alarms'))
      .where(when(filters.machineId, (id) => sql<boolean>`alarms.machine_id = ${id}`))
      .where(
        when(
          filters.search,
          (search) => sql<boolean>`(starts_with(alarms.code, upper(${search})) or ${holds(sql`alarms.message`, search)}
            or ${isFound('alarms.machine_id')})`,
        ),
      )
}

/** Alarms of the scope, or of one machine. */
export async function listAlarms(
  db: TenantDb,
  filters: AlarmFilters & { machineId?: string },
  page: Page & Sorted<Ord>,
) {
  return pageByIds(db, page, {
    matching: await alarmsMatching(db, filters),
    order: alarmOrdering(page),
    countedTo: exactLimit,
    id: 'alarms.id',
    load: (ids, each) =>
      listedAlarms(each)
        .where(among('alarms.id', ids, 'uuid'))
        .execute(),
  })
}

/** One alarm of a machine; undefined outside the scope. */
export const findAlarm = (db: TenantDb, machineId: string, id: string) =>
  listedAlarms(db).where('alarms.machine_id', '=', machineId).where('alarms.id', '=', id).executeTakeFirst()

/** The latest times in which an alarm was over before its fault came back. */
export const pausesOf = (db: TenantDb, alarm: { merchant_id: string; id: string }, most: number) =>
  db
    .from('alarm_pauses')
    .where('alarm_pauses.merchant_id', '=', alarm.merchant_id)
    .where('alarm_pauses.alarm_id', '=', alarm.id)
    .select(['alarm_pauses.ended_at as endedAt', 'alarm_pauses.raised_at as raisedAt'])
    .orderBy('alarm_pauses.ended_at', 'desc')
    .limit(most)
    .execute()

export async function deleteAlarm(db: TenantDb, alarm: { merchant_id: string; machine_id: string; id: string }) {
  const deleted = await db.query
    .deleteFrom('alarms')
    .where('merchant_id', '=', alarm.merchant_id)
    .where('id', '=', alarm.id)
    .returning(['created_at', 'repaired_at'])
    .execute()
  const now = new Date()
  await markLateStretches(
    db,
    deleted.map((row) => ({ merchantId: alarm.merchant_id, from: row.created_at, to: row.repaired_at ?? now })),
    now,
  )
  await refreshPosStatus(db, alarm.merchant_id, alarm.machine_id)
}

/** Updates the stored part of a machine's POS status; call it whenever an alarm opens or closes. */
export async function refreshPosStatus(db: TenantDb, merchantId: string, machineId: string): Promise<void> {
  const open = await db.query
    .selectFrom('alarms')
    .where('merchant_id', '=', merchantId)
    .where('machine_id', '=', machineId)
    .where('status', 'in', ['active', 'notification'])
    .select([
      sql<number | null>`max(criticity)`.as('worst'),
      sql<boolean>`coalesce(bool_or(category = 'maintenance'), false)`.as('hasMaintenance'),
    ])
    .executeTakeFirstOrThrow()
  await db.query
    .updateTable('machines')
    .set({ pos_status: posStatusByAlarms(open) })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', machineId)
    .execute()
}
