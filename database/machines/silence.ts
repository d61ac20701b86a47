import { sql } from 'kysely'
import { type PortalAlarm, portalAlarmCodes } from '#contract/vocabulary/alarm.ts'
import { applyRules, type RuleLook } from '../alarms/alarm-rule.ts'
import { hasFeature } from '../frame/has-feature.ts'
import type { Doors } from '../frame/tenant.ts'

/** Gateways report every minute that they listen; after this time without a report no gateway was listening. */
const listeningGapMs = 3 * 60_000

/** Records that a gateway listens. After a gap, the listening time starts again with the first report. */
export async function noteListening(doors: Doors, at: Date): Promise<void> {
  await doors.withSystem(
    'presence',
    (db) =>
      sql`insert into gateway_listening (since, last_at) values (${at}, ${at})
        on conflict (only_row) do update set
          since = case when gateway_listening.last_at < ${new Date(at.getTime() - listeningGapMs)} then ${at}
            else gateway_listening.since end,
          last_at = greatest(gateway_listening.last_at, ${at})`.execute(db),
    'single statement',
  )
}

/** The start of listening without a gap; null if no gateway listens now. */
async function listeningSince(doors: Doors, at: Date): Promise<Date | null> {
  const row = await doors.withSystem(
    'presence',
    (db) =>
      db
        .selectFrom('gateway_listening')
        .where('last_at', '>=', new Date(at.getTime() - listeningGapMs))
        .select('since')
        .executeTakeFirst(),
    'single statement',
  )
  return row?.since ?? null
}

/** Machines of one transaction. */
const pageSize = 500

/**
 * Raises alarms that depend on time alone, silent machines and overdue audits, and ends low stock that no event ended. It goes through
 * merchants and pages along the machines' key: an index on the last message would cost a write per message. Several processes may run it
 * at once. Returns the machines whose alarms changed.
 */
export async function raiseOverdue(
  doors: Doors,
  look: Pick<RuleLook, 'at' | 'noDataMinutes'>,
): Promise<{ merchantId: string; machineId: string }[]> {
  const since = await listeningSince(doors, look.at)
  const merchants = await doors.withSystem(
    'alarm rules',
    (db) => db.selectFrom('merchants').select('id').orderBy('id').execute(),
    'single statement',
  )
  const changed: { merchantId: string; machineId: string }[] = []
  for (const { id } of merchants) {
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      const page = await pageOf(doors, id, after, { ...look, listeningSince: since })
      changed.push(...page.changed)
      if (page.last === null) break
      after = page.last
    }
  }
  return changed
}

const pageOf = (doors: Doors, merchantId: string, after: string, look: RuleLook) =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const settings = await db
      .from('merchant_settings')
      .select(['no_data_minutes as noDataMinutes', 'audit_exceeded_hours as auditHours'])
      .executeTakeFirst()
    if (!settings) return { changed: [], last: null }
    const { at, listeningSince } = look
    const silentBefore = new Date(at.getTime() - (settings.noDataMinutes ?? look.noDataMinutes) * 60_000)
    const auditBefore = new Date(at.getTime() - settings.auditHours * 3_600_000)
    const holds = (alarm: PortalAlarm) => sql<boolean>`exists (select 1 from alarm_rule_states state
      where ${db.own('state')} and state.merchant_id = machines.merchant_id and state.machine_id = machines.id
        and state.code = ${portalAlarmCodes[alarm]})`
    const isSilent = sql<boolean>`(coalesce(machines.last_seen_at, machines.created_at) < ${silentBefore})`
    const isOverdue = sql<boolean>`(coalesce(machines.last_audit_at, machines.created_at) < ${auditBefore})`
    const canBeSilent = listeningSince !== null && listeningSince < silentBefore
    // A locked machine is just sending; the next check covers it.
    const machines = await db
      .from('machines')
      .where('machines.id', '>', after)
      .where('machines.hidden', '=', false)
      // Machines that crossed a limit, that a wider limit covers again, that were refilled by a manual repair of low stock, and weak
      // signals of merchants that have lost the feature.
      .where(
        sql<boolean>`((${isSilent} <> ${holds('noData')} and (${canBeSilent}::boolean or not ${isSilent}))
          or ${isOverdue} <> ${holds('auditOverdue')} or ${holds('stockLow')}
          or (${holds('signalLow')} and not ${hasFeature(db, 'network', 'machines')}))`,
      )
      .select('machines.id')
      .orderBy('machines.id')
      .limit(pageSize)
      .forNoKeyUpdate('machines')
      .skipLocked()
      .execute()
    const ids = machines.map((machine) => machine.id)
    const changed = await applyRules(db, ids, ['noData', 'auditOverdue', 'stockLow', 'signalLow'], look)
    return { changed, last: ids.length < pageSize ? null : (ids.at(-1) ?? null) }
  })
