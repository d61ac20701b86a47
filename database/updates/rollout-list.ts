import { sql } from 'kysely'
import type { RolloutMachine, RolloutMachineFilters, rolloutMachineOrds } from '#contract/updates/rollout.ts'
import { type RolloutReason, rolloutMachineStates } from '#contract/updates/rollout-state.ts'
import { anyOf, machinesFound, when } from '../frame/conditions.ts'
import { limitedTo, orderOf, type Page, type Sorted } from '../frame/list.ts'
import type { FactsOf } from '../frame/row.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type RolloutRecord, scopeOf } from './rollout.ts'
import { hasCommand, isElsewhere, isStillTarget } from './rollout-start.ts'
import { reportedVersion } from './rule-target.ts'

type Ord = (typeof rolloutMachineOrds)[number]

/** The worst first by default. */
const ordering = orderOf<Ord>({
  by: {
    state: sql`array_position(${[...rolloutMachineStates]}::text[], rm.state)`,
    posName: sql`m.name_order`,
    changedAt: sql`rm.changed_at`,
    serial: sql`m.serial`,
    group: sql`lower(g.name)`,
    reason: sql`rm.reason`,
    cohort: sql`rm.cohort`,
    watchUntil: sql`rm.watch_until`,
    lastSeenAt: sql`m.last_seen_at`,
  },
  first: 'state',
  ties: sql`rm.position, rm.machine_id`,
})

/** Orders by what the machine's own row has. */
const machineOrds: readonly Ord[] = ['posName', 'serial', 'group', 'lastSeenAt']

export interface RolloutMachineRow extends Omit<FactsOf<typeof RolloutMachine>, 'reason' | 'toVersion' | 'progress'> {
  toVersion: string
  reason: RolloutReason | null
  phase: string | null
  percent: number | null
  startedAt: Date | null
  executedAt: Date | null
  commandStatus: number | null
  isTarget: boolean
  isElsewhere: boolean
  hasCommand: boolean
}

/** A page of the machines of a rollout in the reader's groups, the worst first. */
export async function listRolloutMachines(
  db: TenantDb,
  rollout: RolloutRecord,
  page: RolloutMachineFilters & Page & Sorted<Ord>,
) {
  const { search, states, cohort } = page
  const isFound = await machinesFound(db, search)
  const scope = scopeOf(rollout)
  const where = sql`${db.own('rm')} and ${db.narrow('rollout_machines', 'rm')} and rm.merchant_id = ${rollout.merchantId}
    and rm.rollout_id = ${rollout.id} and ${anyOf('rm.state', states, 'text')} and ${isFound('rm.machine_id')}
    and ${when(cohort, (last) => sql<boolean>`rm.cohort <= ${last}`)}`
  const { rows: counted } = await sql<{
    n: number
  }>`select count(*)::int as n from rollout_machines rm where ${where}`.execute(db.query)
  const ofMachine = sql`join machines m on m.merchant_id = rm.merchant_id and m.id = rm.machine_id and ${db.own('m')}`
  const ofGroup = sql`left join groups g on g.merchant_id = m.merchant_id and g.id = m.group_id and ${db.own('g')}`
  const { rows: pageRows } = await sql<{ id: string }>`select rm.machine_id as id from rollout_machines rm
    ${page.ord && machineOrds.includes(page.ord) ? sql`${ofMachine} ${ofGroup}` : sql``} where ${where}
    order by ${ordering(page)}
    ${limitedTo(page)}`.execute(db.query)
  const ids = pageRows.map(({ id }) => id)
  const { rows } = await sql<RolloutMachineRow>`
    select m.id as "posId", m.name as "posName", m.serial as "posSerial", m.device_type as "deviceType", g.name as "groupName",
      m.connection, m.last_seen_at as "lastSeenAt", rm.state, rm.is_accepted as "isAccepted", rm.reason, rm.detail, rm.direction,
      rm.cohort, rm.from_version as "fromVersion", rm.to_version as "toVersion", v.version as reported,
      c.progress_phase as phase, c.progress_percent as percent, c.started_at as "startedAt", c.executed_at as "executedAt",
      c.status as "commandStatus", rm.sent_at as "sentAt", rm.watch_until as "watchUntil", rm.changed_at as "changedAt",
      rm.command_id as "commandId",
      ${isStillTarget(rollout)} as "isTarget", ${isElsewhere(db)} as "isElsewhere", ${hasCommand(db, rollout)} as "hasCommand"
    from rollout_machines rm
    ${ofMachine}
    ${reportedVersion(db, scope, 'm')}
    ${ofGroup}
    left join remote_commands c on c.merchant_id = rm.merchant_id and c.id = rm.command_id and ${db.own('c')}
    where ${db.own('rm')} and rm.merchant_id = ${rollout.merchantId} and rm.rollout_id = ${rollout.id}
      and rm.machine_id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], rm.machine_id)`.execute(db.query)
  return { total: counted[0]?.n ?? 0, capped: false, rows }
}
