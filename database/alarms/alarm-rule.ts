import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { type PortalAlarm, portalAlarmCodes } from '#contract/vocabulary/alarm.ts'
import { portalAlarmKinds } from '#domain/alarms/alarm-kind.ts'
import {
  type Finding,
  findingsOf,
  hasMoved,
  type MachineFacts,
  type RuleLimits,
  type RuleState,
  stepOf,
} from '#domain/alarms/alarm-rule.ts'
import { alarmBySetting, openStatusOf, settingOf } from '#domain/alarms/alarm-setting.ts'
import { flapMillis } from '#domain/alarms/flapping.ts'
import { stockFactsOf } from '#domain/stock/shortage.ts'
import { noteAlarms } from '../facts/alarm-note.ts'
import { levelsOf } from '../facts/stock-levels.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { among } from '../frame/conditions.ts'
import { heldApart } from '../frame/held-apart.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { noteCycles } from './alarm-cycles.ts'
import { refreshPosStatuses } from './alarm-repair.ts'
import { alarmSettings, settingsOf } from './alarm-setting.ts'

/** The time of a check, and the limits for silent machines. */
export interface RuleLook {
  at: Date
  /** See the rule of silence; null: no machine is reported as silent. */
  listeningSince: Date | null
  /** The default limit, for merchants without their own. */
  noDataMinutes: number
  /** No new levels arrived: their alarms stay or end, and none is raised. */
  areLevelsOld?: boolean
}

type MachineRow = MachineFacts &
  RuleLimits & {
    merchantId: string
    machineId: string
    states: Record<string, boolean>
    /** The details of the machine's open alarms, by code. */
    open: Record<string, string | null>
  }

interface Change {
  merchantId: string
  machineId: string
  code: string
  alarm: PortalAlarm
  isOpen: boolean
  finding: Finding
}

/** Locks machines of the scope until the transaction ends, in the order that all writers use. */
export const holdMachines = (db: TenantDb, machineIds: readonly string[]): Promise<{ id: string }[]> =>
  heldApart(
    db,
    'machines',
    machineIds,
    async (of) =>
      await of
        .from('machines')
        .where(among('machines.id', machineIds, 'uuid'))
        .select('machines.id')
        .orderBy('machines.id')
        .forNoKeyUpdate('machines')
        .execute(),
  )

/**
 * Raises and ends alarms by the portal's own rules on some machines. The caller has locked the machines, so that two processes never
 * check one machine at once. Returns the machines whose open alarms changed, or of which one was raised again.
 */
export async function applyRules(
  db: TenantDb,
  machineIds: readonly string[],
  only: readonly PortalAlarm[],
  look: RuleLook,
): Promise<{ merchantId: string; machineId: string }[]> {
  if (machineIds.length === 0) return []
  const changes = { raise: [] as Change[], again: [] as Change[], ease: [] as Change[], end: [] as Change[] }
  const moved: Change[] = []
  for (const row of await readMachines(db, machineIds, look.noDataMinutes, only)) {
    const findings = findingsOf(row, row, look)
    for (const alarm of only) {
      const finding = findings.get(alarm)
      if (!finding) continue
      const code = portalAlarmCodes[alarm]
      const isBeyond = row.states[code]
      const state: RuleState | null = isBeyond === undefined ? null : { isBeyond }
      const openDetail = row.open[code]
      const isOpen = openDetail !== undefined
      const step = stepOf(state, isOpen, finding.standing)
      const { merchantId, machineId } = row
      const change = { merchantId, machineId, code, alarm, isOpen, finding }
      if (step === 'raise' && finding.isByLevels && look.areLevelsOld) continue
      if (step !== 'none') changes[step].push(change)
      else if (isOpen && hasMoved(finding, openDetail)) moved.push(change)
    }
  }
  const { raise, again, ease, end } = changes
  const onceMore = again.filter(({ isOpen }) => isOpen)
  await keepStates(db, [...raise, ...again], true, look.at)
  await keepStates(db, ease, false, look.at)
  await endAlarms(db, end, look.at)
  // An alarm that a user closed is not raised again while its condition continues.
  const raised = await raiseAlarms(db, [...raise, ...onceMore], look.at)
  const followed = await followAlarms(db, [...moved, ...onceMore.filter(gravityOf)], look.at)
  const changed = [...end, ...raised, ...followed]
  await refreshPosStatuses(
    db,
    changed.map(({ machineId }) => ({ machine_id: machineId })),
  )
  return [...new Map(changed.map(({ merchantId, machineId }) => [machineId, { merchantId, machineId }])).values()]
}

async function readMachines(
  db: TenantDb,
  ids: readonly string[],
  noDataMinutes: number,
  only: readonly PortalAlarm[],
): Promise<MachineRow[]> {
  const rows = await preparedRows(
    db.query,
    sql<Omit<MachineRow, 'shortages' | 'stock'>>`
    select m.merchant_id as "merchantId", m.id as "machineId", m.hidden, m.created_at as "createdAt",
      m.last_seen_at as "lastSeenAt", m.last_audit_at as "lastAuditAt", m.network_type as "networkType",
      m.signal_percent as "signalPercent", m.clock_drift_seconds as "driftSeconds", m.cash_in_box as "cashInBox",
      m.cash_box_capacity as "cashBoxCapacity", m.temperature_celsius as "temperatureCelsius",
      coalesce(s.no_data_minutes, ${noDataMinutes}) as "noDataMinutes", s.minimum_signal_percent as "minimumSignalPercent",
      s.audit_exceeded_hours as "auditExceededHours", s.cash_box_full_percent as "cashBoxFullPercent",
      s.clock_drift_minutes as "clockDriftMinutes",
      s.low_stock_selections as "lowStockSelections", s.temperature_minimum as "temperatureMinimum",
      s.temperature_maximum as "temperatureMaximum",
      coalesce((select able.features from merchant_features able where ${db.own('able')} and able.merchant_id = m.merchant_id), '{}') as features,
      coalesce((select jsonb_object_agg(state.code, state.is_beyond) from alarm_rule_states state
        where ${db.own('state')} and state.merchant_id = m.merchant_id and state.machine_id = m.id), '{}') as states,
      coalesce((select jsonb_object_agg(a.code, a.detail) from alarms a where ${db.own('a')} and a.merchant_id = m.merchant_id
        and a.machine_id = m.id and a.status in ('active', 'notification')), '{}') as open
    from machines m join merchant_settings s on s.merchant_id = m.merchant_id
    where ${db.narrow('machines', 'm')} and m.id = any(${ids}::uuid[])
    order by m.id`,
  )
  const levels = only.includes('stockLow') ? await levelsOf(db, ids) : null
  return rows.map((row) => ({ ...row, ...stockFactsOf(levels?.get(row.machineId) ?? [], Object.keys(row.open)) }))
}

const keepStates = (db: TenantDb, changes: readonly Change[], isBeyond: boolean, at: Date): Promise<void> =>
  insertRows(
    db.query,
    'alarm_rule_states',
    ['merchant_id', 'machine_id', 'code', 'since', 'is_beyond'],
    changes.map(({ merchantId, machineId, code }) => [merchantId, machineId, code, at, isBeyond]),
    'on conflict (merchant_id, machine_id, code) do update set is_beyond = excluded.is_beyond',
  )

async function endAlarms(db: TenantDb, changes: readonly Change[], at: Date): Promise<void> {
  if (changes.length === 0) return
  const ended = sql`(select * from unnest(${changes.map((change) => change.merchantId)}::uuid[],
    ${changes.map((change) => change.machineId)}::uuid[], ${changes.map((change) => change.code)}::text[])
    as ended (merchant_id, machine_id, code)) ended`
  await sql`delete from alarm_rule_states state using ${ended} where state.merchant_id = ended.merchant_id
    and state.machine_id = ended.machine_id and state.code = ended.code
    and ${db.narrow('alarm_rule_states', 'state')}`.execute(db.query)
  const { rows } = await sql<{ merchantId: string; posId: string; alarmId: string; code: string; criticity: number }>`
    update alarms set status = 'repaired', repaired_at = ${at} from ${ended}
    where alarms.merchant_id = ended.merchant_id and alarms.machine_id = ended.machine_id and alarms.code = ended.code
      and alarms.status in ('active', 'notification') and ${db.narrow('alarms')}
    returning alarms.merchant_id as "merchantId", alarms.machine_id as "posId", alarms.id as "alarmId", alarms.code,
      alarms.criticity`.execute(db.query)
  await noteAlarms(
    db,
    rows.map(({ merchantId, ...alarm }) => ({
      event: 'alarm.ended',
      merchantId,
      data: { ...alarm, at: at.toISOString(), byUser: false },
    })),
  )
}

const gravityOf = ({ finding }: Change) => finding.criticity !== undefined && { criticity: finding.criticity }

/** Updates the details of open alarms. A higher severity plans new notices. Returns the alarms that merchants want. */
async function followAlarms(db: TenantDb, changes: readonly Change[], at: Date): Promise<Change[]> {
  if (changes.length === 0) return []
  const settings = await alarmSettings(db)
  const followed = changes.flatMap((change) => {
    const { criticity } = { ...portalAlarmKinds[change.alarm], ...gravityOf(change) }
    const made = { ...change, criticity, status: openStatusOf(criticity) }
    return alarmBySetting(made, settingOf(settingsOf(settings, change.merchantId), change.code)) ?? []
  })
  for (const { merchantId, machineId, code, criticity, status, finding } of followed)
    await sql`update alarms set criticity = ${criticity}, status = ${status}, detail = ${finding.detail}, last_at = ${at},
        notice_at = case when ${criticity} > criticity then ${at} else notice_at end
      where merchant_id = ${merchantId} and machine_id = ${machineId} and code = ${code}
        and status in ('active', 'notification') and ${db.narrow('alarms')}`.execute(db.query)
  return followed
}

/** Alarms of these conditions that ended lately, each with its end; an open alarm of the code is not among them. */
async function endedLately(db: TenantDb, changes: readonly Change[], at: Date) {
  const closed = changes.filter(({ isOpen }) => !isOpen)
  if (closed.length === 0) return []
  const rows = await db
    .from('alarms')
    .where(among('alarms.machine_id', [...new Set(closed.map(({ machineId }) => machineId))], 'uuid'))
    .where(among('alarms.code', [...new Set(closed.map(({ code }) => code))], 'text'))
    .where('alarms.status', '=', 'repaired')
    .where('alarms.repaired_at', '>=', new Date(at.getTime() - flapMillis))
    .select(['alarms.id', 'alarms.machine_id', 'alarms.code', 'alarms.repaired_at'])
    .orderBy('alarms.repaired_at', 'desc')
    .execute()
  return closed.flatMap((change) => {
    const row = rows.find(({ machine_id, code }) => machine_id === change.machineId && code === change.code)
    return row?.repaired_at ? { ...change, alarmId: row.id, endedAt: row.repaired_at } : []
  })
}

/** Opens alarms again whose condition came back soon; each counts one occurrence more. */
async function openAgain(
  db: TenantDb,
  alarms: readonly (Change & { alarmId: string; endedAt: Date; criticity: number; status: string })[],
  at: Date,
): Promise<void> {
  for (const { merchantId, alarmId, criticity, status, finding } of alarms)
    await sql`update alarms set status = ${status}, criticity = ${criticity}, repaired_at = null, count = count + 1,
        last_at = ${at}, detail = ${finding.detail},
        notice_at = case when ${criticity} > criticity then ${at} else notice_at end
      where merchant_id = ${merchantId} and id = ${alarmId} and ${db.narrow('alarms')}`.execute(db.query)
  await insertRows(
    db.query,
    'alarm_pauses',
    ['merchant_id', 'alarm_id', 'machine_id', 'ended_at', 'raised_at'],
    // Another process, whose clock is ahead, may have ended it: the pause then had no length.
    alarms.map(({ merchantId, alarmId, machineId, endedAt }) => [
      merchantId,
      alarmId,
      machineId,
      endedAt,
      endedAt > at ? endedAt : at,
    ]),
    'on conflict do nothing',
  )
}

/**
 * Raises alarms; an alarm of the code that is open or ended lately counts one occurrence more. Returns the alarms that merchants want.
 */
async function raiseAlarms(db: TenantDb, changes: readonly Change[], at: Date): Promise<Change[]> {
  if (changes.length === 0) return []
  const settings = await alarmSettings(db)
  const raised = changes.flatMap((change) => {
    const { category, criticity } = { ...portalAlarmKinds[change.alarm], ...gravityOf(change) }
    const made = { ...change, id: randomUUIDv7(), category, criticity, status: openStatusOf(criticity) }
    return alarmBySetting(made, settingOf(settingsOf(settings, change.merchantId), change.code)) ?? []
  })
  const lately = new Map((await endedLately(db, raised, at)).map((one) => [`${one.machineId} ${one.code}`, one]))
  const endOf = ({ machineId, code }: Change) => lately.get(`${machineId} ${code}`)
  await openAgain(
    db,
    raised.flatMap((alarm) => {
      const ended = endOf(alarm)
      return ended ? { ...alarm, alarmId: ended.alarmId, endedAt: ended.endedAt } : []
    }),
    at,
  )
  const fresh = raised.filter((alarm) => !endOf(alarm))
  await insertRows(
    db.query,
    'alarms',
    [
      'merchant_id',
      'id',
      'machine_id',
      'code',
      'source',
      'category',
      'criticity',
      'status',
      'detail',
      'created_at',
      'last_at',
    ],
    fresh.map((alarm) => [
      alarm.merchantId,
      alarm.id,
      alarm.machineId,
      alarm.code,
      'portal',
      alarm.category,
      alarm.criticity,
      alarm.status,
      alarm.finding.detail,
      at,
      at,
    ]),
    `on conflict (merchant_id, machine_id, code) where status in ('active', 'notification') do update set
      count = alarms.count + 1, last_at = excluded.last_at, detail = excluded.detail`,
  )
  // An alarm that was open before keeps its id and its notes on cycles.
  await noteCycles(db, fresh, settings)
  await noteAlarms(
    db,
    raised.flatMap(({ merchantId, machineId: posId, id, code, criticity, isOpen, ...change }) => {
      const alarmId = endOf({ ...change, merchantId, machineId: posId, code, isOpen })?.alarmId ?? id
      const data = { posId, alarmId, code, criticity, at: at.toISOString() }
      return isOpen ? [] : { event: 'alarm.raised' as const, merchantId, data }
    }),
  )
  return raised
}
