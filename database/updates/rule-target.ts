import { type RawBuilder, sql } from 'kysely'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import { kindOfDatabase, kindOfFirmware, type UpdateKind } from '#contract/vocabulary/update.ts'
import { downgradeOf } from '#domain/updates/downgrade.ts'
import { doContradict } from '#domain/updates/rule-conflict.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** What a rule brings to which machines. */
export interface RuleScope {
  kind: RuleKind
  release: string
  peripheral: Peripheral | null
  deviceTypes: readonly string[]
  target: RuleTarget
  fromVersions: readonly string[]
  /** The author's groups; null: all. */
  withinGroups: readonly string[] | null
}

/** The part of a machine that an update is for, as `machine_versions` names it. */
export const partOf = ({ kind, peripheral }: Pick<RuleScope, 'kind' | 'peripheral'>): UpdateKind =>
  (kind === 'firmware' ? kindOfFirmware : kindOfDatabase)(peripheral)

const targetOf = (target: RuleTarget, alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  switch (target.by) {
    case 'groups':
      return sql<boolean>`${column('group_id')} = any(${target.groupIds}::uuid[])`
    case 'clients':
      return sql<boolean>`${column('client_id')} = any(${target.clientIds}::uuid[])`
    case 'deviceTypes':
      return sql<boolean>`${column('device_type')} = any(${target.deviceTypes}::text[])`
    case 'machines':
      return sql<boolean>`${column('id')} = any(${target.posIds}::uuid[])`
  }
}

/** The condition that a machine is among a rule's targets. Hidden machines are not updated. */
export const isTarget = (rule: Omit<RuleScope, 'kind' | 'release' | 'fromVersions'>, alias: string) => {
  const within = rule.withinGroups
  return sql<boolean>`(${targetOf(rule.target, alias)}
    and ${sql.ref(`${alias}.device_type`)} = any(${[...rule.deviceTypes]}::text[])
    and ${sql.ref(`${alias}.deleted_at`)} is null and not ${sql.ref(`${alias}.hidden`)}
    and ${within === null ? sql`true` : sql`${sql.ref(`${alias}.group_id`)} = any(${[...within]}::uuid[])`})`
}

/** Joins the version that a machine last reported of a part, as `v`. */
export const reportedVersion = (db: TenantDb, part: Pick<RuleScope, 'kind' | 'peripheral'>, alias: string) =>
  sql`left join machine_versions v on v.merchant_id = ${sql.ref(`${alias}.merchant_id`)} and v.machine_id = ${sql.ref(`${alias}.id`)}
    and v.kind = ${partOf(part)} and v.peripheral = ${part.peripheral ?? ''} and ${db.own('v')}`

interface OtherRule {
  id: string
  name: string
  release: string
  peripheral: Peripheral | null
  device_types: string[]
  within_groups: string[] | null
  plan: { target: RuleTarget; fromVersions: string[] }
}

/** Serializes changes of a merchant's rules, so that two contradicting rules are not created at once. */
export const lockRules = (db: TenantDb, merchantId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('update rules ' || ${merchantId}, 0))`.execute(db.query)

const sameIds = (one: RuleTarget, other: RuleTarget) => {
  const idsOf = (target: RuleTarget): readonly string[] =>
    target.by === 'groups'
      ? target.groupIds
      : target.by === 'clients'
        ? target.clientIds
        : target.by === 'machines'
          ? target.posIds
          : target.deviceTypes
  return one.by === other.by && idsOf(one).some((id) => idsOf(other).includes(id))
}

/**
 * Another rule that has not ended and contradicts: for the same part, from the same versions, and with a common target or a common machine.
 */
export async function contradiction(
  db: TenantDb,
  merchantId: string,
  rule: RuleScope & { id: string | null },
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<OtherRule>`select id, name, release, peripheral, device_types, within_groups, plan
    from rollouts where ${db.own('rollouts')} and merchant_id = ${merchantId} and kind = ${rule.kind} and state <> 'ended'
      and peripheral is not distinct from ${rule.peripheral}::text and id is distinct from ${rule.id}::uuid
      and device_types && ${[...rule.deviceTypes]}::text[]
    order by created_at, id`.execute(db.query)
  for (const other of rows) {
    const versions = { from: other.plan.fromVersions, to: other.release }
    if (!doContradict({ from: rule.fromVersions, to: rule.release }, versions)) continue
    const otherRule = {
      target: other.plan.target,
      deviceTypes: other.device_types,
      withinGroups: other.within_groups,
      peripheral: other.peripheral,
    }
    const isSame = sameIds(rule.target, otherRule.target) && !rule.withinGroups && !otherRule.withinGroups
    if (isSame || (await haveCommon(db, merchantId, rule, otherRule))) return { id: other.id, name: other.name }
  }
  return undefined
}

async function haveCommon(
  db: TenantDb,
  merchantId: string,
  one: Parameters<typeof isTarget>[0],
  other: Parameters<typeof isTarget>[0],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select 1 from machines m where ${db.own('m')}
    and m.merchant_id = ${merchantId} and ${isTarget(one, 'm')} and ${isTarget(other, 'm')}) as found`.execute(db.query)
  return rows[0]?.found ?? false
}

/** At most so many machines are named in a refusal. */
const mostNamedMachines = 5

/** Target machines with a newer version than the rule's, counted, with the versions; undefined if there are none. */
export async function newerMachines(db: TenantDb, merchantId: string, rule: RuleScope) {
  const { rows } = await sql<{ version: string; machines: number }>`
    select v.version, count(*)::int as machines from machines m ${reportedVersion(db, rule, 'm')}
    where ${db.own('m')} and m.merchant_id = ${merchantId} and ${isTarget(rule, 'm')} and v.version is not null
    group by v.version`.execute(db.query)
  const from = rule.fromVersions
  return downgradeOf(from.length === 0 ? rows : rows.filter(({ version }) => from.includes(version)), rule.release)
}

/** Machines among some that run a newer version of a part than an update brings; undefined without any. */
export async function machinesWithNewer(
  db: TenantDb,
  ids: readonly string[],
  update: { kind: UpdateKind; peripheral: string | null; version: string },
) {
  const rows = await db
    .from('machine_versions')
    .where(sql<boolean>`machine_versions.machine_id = any(${[...ids]}::uuid[])`)
    .where('machine_versions.kind', '=', update.kind)
    .where('machine_versions.peripheral', '=', update.peripheral ?? '')
    .groupBy('machine_versions.version')
    .select(['machine_versions.version', sql<number>`count(*)::int`.as('machines')])
    .execute()
  return downgradeOf(rows, update.version)
}

/**
 * Machines that a rule names and that are of another type than its version: chosen machines, or all machines of its groups or clients if none
 * fits. Returns the names of some.
 */
export async function machinesOfOtherTypes(db: TenantDb, merchantId: string, rule: RuleScope): Promise<string[]> {
  const { target } = rule
  if (target.by === 'deviceTypes') return []
  const { rows } = await sql<{ name: string; fits: boolean }>`
    select m.name, m.device_type = any(${[...rule.deviceTypes]}::text[]) as fits from machines m
    where ${db.own('m')} and m.merchant_id = ${merchantId} and ${targetOf(target, 'm')} and m.deleted_at is null
    order by fits desc, m.name_order, m.id
    ${target.by === 'machines' ? sql`` : sql`limit ${mostNamedMachines}`}`.execute(db.query)
  const others = rows.filter(({ fits }) => !fits)
  const isRefused = target.by === 'machines' ? others.length > 0 : others.length === rows.length
  return isRefused ? others.slice(0, mostNamedMachines).map(({ name }) => name) : []
}
