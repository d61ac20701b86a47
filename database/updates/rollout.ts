import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { mostBackVersions } from '#contract/updates/rollout.ts'
import { type RolloutHalt } from '#contract/updates/rollout-halt.ts'
import type { RolloutDirection, RuleKind } from '#contract/updates/rollout-kind.ts'
import type { RolloutAct, RolloutState } from '#contract/updates/rollout-state.ts'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { RolloutPlan, Tally } from '#domain/updates/rollout.ts'
import { type Counted, tallyOf } from '#domain/updates/rollout-tally.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { RuleScope } from './rule-target.ts'

/** The copy of a rule's fields in its rollout. */
export interface StoredPlan extends RolloutPlan {
  target: RuleTarget
  fromVersions: string[]
  allowDowngrade: boolean
}

export interface RolloutRecord {
  merchantId: string
  id: string
  kind: RuleKind
  name: string
  updateId: string
  release: string
  peripheral: Peripheral | null
  deviceTypes: string[]
  plan: StoredPlan
  withinGroups: string[] | null
  state: RolloutState
  direction: RolloutDirection
  cohort: number
  startedAt: Date | null
  startedBy: string | null
  startedByName: string | null
  haltedAt: Date | null
  /** The user who halted it; null where it halted automatically. */
  haltedBy: string | null
  halt: RolloutHalt | null
  syncedAt: Date | null
  /** The position of the machine that was checked last. */
  checkedPosition: number
  timeZone: string
  merchantName: string
}

const columns = sql`r.merchant_id as "merchantId", r.id, r.kind, r.name, r.update_id as "updateId", r.release, r.peripheral,
  r.device_types as "deviceTypes", r.plan, r.within_groups as "withinGroups", r.state, r.direction, r.cohort,
  r.started_at as "startedAt", r.started_by as "startedBy", r.started_by_name as "startedByName", r.halted_at as "haltedAt", r.halted_by as "haltedBy",
  r.halt, r.synced_at as "syncedAt", r.checked_position as "checkedPosition", merchants.time_zone as "timeZone", merchants.name as "merchantName"`

const locks = {
  none: sql``,
  /** Waits for the minute's decision. */
  wait: sql`for update of r`,
  /** Another worker decides: nothing to do. */
  skip: sql`for update of r skip locked`,
}

/** A rollout of the scope; undefined if there is none, or if another worker has it and the lock is to be skipped. */
export async function findRollout(
  db: TenantDb,
  id: string,
  lock: keyof typeof locks = 'none',
): Promise<RolloutRecord | undefined> {
  const { rows } = await sql<RolloutRecord>`select ${columns} from rollouts r
    join merchants on merchants.id = r.merchant_id
    where ${db.narrow('rollouts', 'r')} and r.id = ${id} ${locks[lock]}`.execute(db.query)
  return rows[0]
}

export const scopeOf = (rollout: RolloutRecord): RuleScope => ({
  kind: rollout.kind,
  release: rollout.release,
  peripheral: rollout.peripheral,
  deviceTypes: rollout.deviceTypes,
  target: rollout.plan.target,
  fromVersions: rollout.plan.fromVersions,
  withinGroups: rollout.withinGroups,
})

/** Writes a rule's copy into its rollout: a draft for a new rule. Machines are searched for again. */
export async function writeRollout(
  db: TenantDb,
  rule: Pick<RolloutRecord, 'merchantId' | 'id' | 'name' | 'updateId' | 'plan'> & RuleScope,
  now: Date,
): Promise<void> {
  const copy = {
    name: rule.name,
    update_id: rule.updateId,
    release: rule.release,
    peripheral: rule.peripheral,
    device_types: [...rule.deviceTypes],
    plan: JSON.stringify(rule.plan),
    within_groups: rule.withinGroups && [...rule.withinGroups],
    synced_at: null,
  }
  await db.query
    .insertInto('rollouts')
    .values({ merchant_id: rule.merchantId, id: rule.id, kind: rule.kind, created_at: now, ...copy })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doUpdateSet(copy))
    .execute()
}

export const removeRollout = (db: TenantDb, { merchant_id, id }: { merchant_id: string; id: string }) =>
  db.query
    .deleteFrom('rollouts')
    .where(db.own('rollouts'))
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()

interface Change {
  state?: RolloutState
  direction?: RolloutDirection
  cohort?: number
  startedAt?: Date
  startedBy?: { id: string | null; name: string }
  haltedAt?: Date | null
  halt?: RolloutHalt | null
  /** The user who halts it; undefined with `haltedAt`: the rollout itself. */
  haltedBy?: string | null
  syncedAt?: Date | null
  checkedPosition?: number
}

export async function changeRollout(
  db: TenantDb,
  { merchantId, id, kind }: RolloutRecord,
  change: Change,
): Promise<void> {
  const { state, direction, cohort, startedAt, startedBy, haltedAt, haltedBy, halt, syncedAt, checkedPosition } = change
  await db.query
    .updateTable('rollouts')
    .set({
      ...(state && { state }),
      ...(direction && { direction }),
      ...(cohort !== undefined && { cohort }),
      ...(startedAt && { started_at: startedAt }),
      ...(startedBy && { started_by: startedBy.id, started_by_name: startedBy.name }),
      // Users who may resume it are mailed about each halt.
      ...(haltedAt !== undefined && {
        halted_at: haltedAt,
        halted_by: haltedBy ?? null,
        is_notice_due: haltedAt !== null,
      }),
      ...(halt !== undefined && { halt: halt && JSON.stringify(halt) }),
      ...(syncedAt !== undefined && { synced_at: syncedAt }),
      ...(checkedPosition !== undefined && { checked_position: checkedPosition }),
    })
    .where(db.own('rollouts'))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute()
  if (haltedAt)
    await noteFacts(db, [merchantId], ['rollout.halted'], () => [
      {
        event: 'rollout.halted',
        merchantId,
        data: { ruleId: id, kind, byUser: Boolean(haltedBy), at: haltedAt.toISOString() },
      },
    ])
}

export interface NewEvent {
  act: RolloutAct
  by?: { id: string | null; name: string }
  note?: string | undefined
  cohort?: number
  machines?: number
  halt?: RolloutHalt
}

export async function addEvent(
  db: TenantDb,
  { merchantId, id }: Pick<RolloutRecord, 'merchantId' | 'id'>,
  { act, by, note, cohort, machines, halt }: NewEvent,
  at: Date,
): Promise<void> {
  await db.query
    .insertInto('rollout_events')
    .values({
      merchant_id: merchantId,
      id: randomUUIDv7(),
      rollout_id: id,
      at,
      act,
      user_id: by?.id ?? null,
      user_name: by?.name ?? null,
      note: note || null,
      cohort: cohort ?? null,
      machines: machines ?? null,
      halt: halt ? JSON.stringify(halt) : null,
    })
    .execute()
}

export const eventsOf = (db: TenantDb, { merchantId, id }: RolloutRecord, most: number) =>
  db
    .from('rollout_events')
    .where('merchant_id', '=', merchantId)
    .where('rollout_id', '=', id)
    .select(['id', 'at', 'act', 'user_id', 'user_name', 'note', 'cohort', 'machines', 'halt'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()

export interface CountedMachines extends Required<Counted> {
  cohort: number | null
}

/** Machines of a rollout by state, direction, cohort, and whether they have received the version. */
export async function countMachines(db: TenantDb, { merchantId, id }: RolloutRecord): Promise<CountedMachines[]> {
  const { rows } =
    await sql<CountedMachines>`select state, is_accepted as "isAccepted", direction, cohort, received_at is not null as "hasReceived",
      count(*)::int as count
    from rollout_machines where ${db.own('rollout_machines')} and merchant_id = ${merchantId} and rollout_id = ${id}
    group by state, is_accepted, direction, cohort, received_at is not null`.execute(db.query)
  return rows
}

/** What a rollout decides by: its machines by state, on its way. */
export const tallyOfRollout = async (db: TenantDb, rollout: RolloutRecord): Promise<Tally> =>
  tallyOf(await countMachines(db, rollout), rollout.direction)

/** The earliest end of a watch. */
export async function watchedUntil(db: TenantDb, { merchantId, id }: RolloutRecord): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(watch_until) as at from rollout_machines
    where ${db.own('rollout_machines')} and merchant_id = ${merchantId} and rollout_id = ${id} and state = 'watching'`.execute(
    db.query,
  )
  return rows[0]?.at ?? null
}

/** The versions to which machines return, the most frequent first. */
export async function backVersions(db: TenantDb, { merchantId, id }: RolloutRecord): Promise<string[]> {
  const { rows } = await sql<{ version: string }>`select to_version as version from rollout_machines
    where ${db.own('rollout_machines')} and merchant_id = ${merchantId} and rollout_id = ${id} and direction = 'back'
      and from_version is not null and state not in ('current', 'left')
    group by to_version order by count(*) desc, to_version limit ${mostBackVersions}`.execute(db.query)
  return rows.map(({ version }) => version)
}
