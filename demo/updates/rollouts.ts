import { defaultCohorts } from '#contract/updates/rollout-plan.ts'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import { updateCommands } from '#contract/vocabulary/update.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import {
  addEvent,
  changeRollout,
  findRollout,
  type RolloutRecord,
  type StoredPlan,
  writeRollout,
} from '#database/updates/rollout.ts'
import { syncMachines } from '#database/updates/rollout-sync.ts'
import { randomFrom } from '#simulator/random.ts'
import { uuidAt } from '../write/uuid.ts'

const hourMs = 3_600_000

/** A rule of the demo, and how its machines fared: their states in the order of the rollout. */
interface DemoRule {
  name: string
  state: 'running' | 'halted'
  cohort: number
  states: readonly ('confirmed' | 'failed' | 'silent')[]
}

/** One bad machine of a cohort of five halts nothing. */
const limits = { failedPercent: 25, silentPercent: 25, alarmedPercent: 25 } as const

const rules: readonly DemoRule[] = [
  { name: 'Winter firmware', state: 'running', cohort: 1, states: ['confirmed', 'confirmed', 'confirmed', 'failed'] },
  { name: 'Night pilot', state: 'halted', cohort: 1, states: ['confirmed', 'confirmed', 'silent', 'silent'] },
]

/** Adds a rollout under way with one failed machine and a halted one, unless the merchant has rollouts. */
export async function addRollouts(doors: Doors, merchantId: string, now: Date): Promise<void> {
  const firmware = await doors.withSystem('demo data', (db) =>
    db
      .selectFrom('firmwares')
      .where('peripheral', 'is', null)
      .where('file_id', 'is not', null)
      .select(['id', 'release', 'device_types'])
      .orderBy('major', 'desc')
      .orderBy('minor', 'desc')
      .orderBy('patch', 'desc')
      .limit(1)
      .executeTakeFirst(),
  )
  if (!firmware) return
  await doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const existing = await db
      .from('rollouts')
      .where('merchant_id', '=', merchantId)
      .select('id')
      .limit(1)
      .executeTakeFirst()
    if (existing) return
    const groups = await db
      .from('groups')
      .where('groups.merchant_id', '=', merchantId)
      .select('groups.id')
      .orderBy('groups.name')
      .limit(rules.length)
      .execute()
    for (const [at, rule] of rules.entries()) {
      const group = groups[at]
      if (group) await addRule(db, merchantId, rule, { by: 'groups', groupIds: [group.id] }, firmware, now)
    }
  })
}

async function addRule(
  db: TenantDb,
  merchantId: string,
  rule: DemoRule,
  target: RuleTarget,
  firmware: { id: string; release: string; device_types: string[] },
  now: Date,
): Promise<void> {
  const startedAt = new Date(now.getTime() - 30 * hourMs)
  const id = uuidAt(startedAt.getTime(), randomFrom(`rule ${rule.name}`))
  const plan: StoredPlan = {
    target,
    fromVersions: [],
    allowDowngrade: false,
    installWindow: { from: '02:00', to: '05:00' },
    cohorts: [{ by: 'machines', size: 2 }, { by: 'machines', size: 5 }, ...defaultCohorts.slice(-1)],
    goodPercent: 95,
    healthMinutes: 1440,
    silentMinutes: 60,
    ...limits,
  }
  const { installWindow, cohorts, fromVersions } = plan
  await db.query
    .insertInto('firmware_rules')
    .values({
      merchant_id: merchantId,
      id,
      name: rule.name,
      firmware_id: firmware.id,
      created_at: startedAt,
      target: JSON.stringify(target),
      from_versions: fromVersions,
      install_window: JSON.stringify(installWindow),
      cohorts: JSON.stringify(cohorts),
      good_percent: 95,
      health_minutes: 1440,
      silent_minutes: 60,
      failed_percent: limits.failedPercent,
      silent_percent: limits.silentPercent,
      alarmed_percent: limits.alarmedPercent,
      allow_downgrade: false,
    })
    .execute()
  const scope = {
    kind: 'firmware' as const,
    release: firmware.release,
    peripheral: null,
    deviceTypes: firmware.device_types,
    target,
    fromVersions,
    withinGroups: null,
  }
  await writeRollout(db, { merchantId, id, name: rule.name, updateId: firmware.id, plan, ...scope }, startedAt)
  const rollout = await findRollout(db, id)
  if (!rollout) return
  const by = { id: null, name: 'Gettone' }
  await changeRollout(db, rollout, { state: 'running', cohort: rule.cohort, startedAt, startedBy: by })
  await syncMachines(db, rollout, now)
  await addEvent(db, rollout, { act: 'created', by }, startedAt)
  await addEvent(db, rollout, { act: 'started', by }, startedAt)
  await addEvent(db, rollout, { act: 'cohortOpened', cohort: 1 }, new Date(now.getTime() - 5 * hourMs))
  const bad = await fillStates(db, rollout, rule, now)
  if (rule.state !== 'halted') return
  const halt = { cause: 'silent' as const, count: bad, allowed: 1, size: 5 }
  const haltedAt = new Date(now.getTime() - 2 * hourMs)
  await changeRollout(db, rollout, { state: 'halted', haltedAt, halt })
  await addEvent(db, rollout, { act: 'halted', cohort: rule.cohort, halt }, haltedAt)
}

/** Gives the first machines of the rollout their states, with the commands that led to them. Returns the number of bad ones. */
async function fillStates(
  db: TenantDb,
  rollout: RolloutRecord,
  { name, states }: DemoRule,
  now: Date,
): Promise<number> {
  const { merchantId, id, release } = rollout
  const inState = (state: 'waiting' | 'current') =>
    db
      .from('rollout_machines')
      .where('merchant_id', '=', merchantId)
      .where('rollout_id', '=', id)
      .where('state', '=', state)
      .select('machine_id')
      .orderBy('position')
      .limit(states.length)
      .execute()
  // A confirmed machine must run the version: its simulator says so in each hello.
  const updated = await inState('current')
  const waiting = await inState('waiting')
  let bad = 0
  for (const [at, state] of states.entries()) {
    const machine_id = (state === 'confirmed' ? updated : waiting).shift()?.machine_id
    if (!machine_id) continue
    const sentAt = new Date(now.getTime() - (at < 2 ? 29 : 4) * hourMs)
    const isGood = state === 'confirmed'
    if (!isGood) bad++
    const commandId = uuidAt(sentAt.getTime(), randomFrom(`rollout command ${name} ${at}`))
    const detail = state === 'failed' ? 'No space left for the file' : null
    await db.query
      .insertInto('remote_commands')
      .values({
        merchant_id: merchantId,
        id: commandId,
        order_id: id,
        machine_id,
        type: updateCommands.firmware,
        parameters: JSON.stringify({ version: release }),
        status: state === 'failed' ? 5 : 2,
        result: state === 'failed' ? 2 : 0,
        result_info: detail,
        attempts: 1,
        created_at: sentAt,
        created_by_name: 'Gettone',
        not_before: sentAt,
        expires_at: new Date(sentAt.getTime() + 3 * hourMs),
        next_attempt_at: sentAt,
        sent_at: sentAt,
        started_at: sentAt,
        executed_at: new Date(sentAt.getTime() + hourMs / 6),
      })
      .execute()
    if (isGood)
      await db.query
        .updateTable('machine_versions')
        .set({ version: release, since: sentAt, reported_at: now })
        .where('merchant_id', '=', merchantId)
        .where('machine_id', '=', machine_id)
        .where('kind', '=', 'firmware')
        .execute()
    const reason = { confirmed: 'healthy', failed: 'refusedByMachine', silent: 'silentAfterUpdate' }[state]
    const running = await db
      .from('machine_versions')
      .where('machine_versions.machine_id', '=', machine_id)
      .where('kind', '=', 'firmware')
      .select('version')
      .executeTakeFirst()
    await db.query
      .updateTable('rollout_machines')
      .set({
        state,
        reason,
        detail,
        cohort: at < 2 ? 0 : 1,
        from_version: isGood ? '4.12.0.1042' : (running?.version ?? null),
        command_id: commandId,
        attempts: 1,
        sent_at: sentAt,
        reported_at: isGood ? new Date(sentAt.getTime() + hourMs / 5) : null,
        changed_at: sentAt,
        received_at: state === 'failed' ? null : sentAt,
      })
      .where('merchant_id', '=', merchantId)
      .where('rollout_id', '=', id)
      .where('machine_id', '=', machine_id)
      .execute()
  }
  return bad
}
