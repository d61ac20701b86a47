import { ProductError } from '#contract/errors.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import type { RuleTarget } from '#contract/updates/update-rule.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { withinScope } from '#database/frame/tenant.ts'
import {
  addEvent,
  findRollout,
  type RolloutRecord,
  type StoredPlan,
  scopeOf,
  writeRollout,
} from '#database/updates/rollout.ts'
import { syncMachines } from '#database/updates/rollout-sync.ts'
import {
  contradiction,
  lockRules,
  machinesOfOtherTypes,
  newerMachines,
  type RuleScope,
} from '#database/updates/rule-target.ts'
import { isOfType } from '#domain/updates/release-fit.ts'
import { isOwnRule } from '#domain/updates/rollout-control.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { databaseOfRule, firmwareOfRule } from '#server/updates/find-release.ts'

/** The fields of a rule of either kind. */
export interface RuleBody extends StoredPlan {
  name: string
  target: RuleTarget
}

interface Key {
  merchant_id: string
  id: string
}

/** The groups of a caller at a merchant; null: all. */
export const groupsOf = ({ user }: Pick<TenantCall, 'user'>, merchantId: string): string[] | null => {
  const pairs = user.scope.filter((pair) => pair.merchantId === merchantId)
  return pairs.some(({ groups }) => groups === 'all') ? null : pairs.flatMap(({ groups }) => groups as string[])
}

/** The same call with all groups of the merchant: a rollout decides about all of its machines. */
export const wholeMerchant = <C extends TenantCall>(call: C, merchantId: string): C => ({
  ...call,
  db: withinScope(call.db, [{ merchantId, groups: 'all' }]),
})

const planOf = ({
  target,
  fromVersions,
  allowDowngrade,
  installWindow,
  cohorts,
  goodPercent,
  healthMinutes,
  silentMinutes,
  failedPercent,
  silentPercent,
  alarmedPercent,
}: RuleBody): StoredPlan => ({
  target,
  fromVersions,
  allowDowngrade,
  installWindow,
  cohorts,
  goodPercent,
  healthMinutes,
  silentMinutes,
  failedPercent,
  silentPercent,
  alarmedPercent,
})

interface Checked {
  merchantId: string
  id: string | null
  updateId: string
  withinGroups: string[] | null
}

/** Refuses a rule without its firmware, for another currency, that contradicts another, or that takes machines back unasked. */
async function scopeOfBody(call: TenantCall, kind: RuleKind, rule: Checked, body: RuleBody): Promise<RuleScope> {
  const { db, doors } = call
  const release =
    kind === 'firmware' ? await firmwareOfRule(doors, rule.updateId) : await databaseOfRule(db, rule.updateId)
  const merchant = await db.from('merchants').where('id', '=', rule.merchantId).select('currency').executeTakeFirst()
  if (release.currency !== null && release.currency !== merchant?.currency)
    throw new ProductError('UpdateNotForMachine')
  const scope: RuleScope = {
    kind,
    release: release.version,
    peripheral: release.peripheral,
    deviceTypes: release.deviceTypes,
    target: body.target,
    fromVersions: body.fromVersions,
    withinGroups: rule.withinGroups,
  }
  await refuseOtherTypes(call, rule.merchantId, scope)
  await lockRules(db, rule.merchantId)
  const other = await contradiction(db, rule.merchantId, { ...scope, id: rule.id })
  if (other) throw new ProductError('RuleContradicts', other)
  const newer = body.allowDowngrade ? undefined : await newerMachines(db, rule.merchantId, scope)
  if (newer) throw new ProductError('UpdateDowngrade', { ...newer })
  return scope
}

/** Refuses a version for targets of other types: device types and machines are named. */
export async function refuseOtherTypes({ db }: TenantCall, merchantId: string, scope: RuleScope): Promise<void> {
  const { target } = scope
  const others =
    target.by === 'deviceTypes'
      ? target.deviceTypes.filter((type) => !isOfType(scope, type)).map((type) => deviceTypeNames[type])
      : await machinesOfOtherTypes(db, merchantId, scope)
  if (others.length > 0) throw new ProductError('UpdateNotForTargets', { names: others.join(', ') })
}

async function writeRule(call: TenantCall, kind: RuleKind, key: Key, rule: Checked, body: RuleBody): Promise<void> {
  const { db, now } = call
  const scope = await scopeOfBody(call, kind, rule, body)
  const copy = { merchantId: key.merchant_id, id: key.id, name: body.name, updateId: rule.updateId, plan: planOf(body) }
  await writeRollout(db, { ...copy, ...scope }, now)
  const rollout = await findRollout(db, key.id)
  if (rollout && rollout.state !== 'ended') await syncMachines(db, rollout, now)
}

/** Creates the rollout of a new rule, as a draft. It stays within the groups of its author. */
export async function createRollout(narrow: TenantCall, kind: RuleKind, key: Key, updateId: string, body: RuleBody) {
  const call = wholeMerchant(narrow, key.merchant_id)
  const withinGroups = groupsOf(call, key.merchant_id)
  await writeRule(call, kind, key, { merchantId: key.merchant_id, id: null, updateId, withinGroups }, body)
  const rollout = { merchantId: key.merchant_id, id: key.id }
  await addEvent(call.db, rollout, { act: 'created', by: call.user }, call.now)
}

/** A rollout, locked; refuses callers who do not see all of its groups. */
export async function heldRollout(call: TenantCall, key: Key): Promise<RolloutRecord> {
  const rollout = await findRollout(call.db, key.id, 'wait')
  if (!rollout) throw new Error('A rule has a rollout.')
  if (!isOwnRule(scopeOf(rollout), groupsOf(call, key.merchant_id))) throw new ProductError('RuleOfOtherGroups')
  return rollout
}

/** Checks an edit of a rule and writes its rollout. After the start the version stays. */
export async function rewriteRollout(narrow: TenantCall, kind: RuleKind, key: Key, updateId: string, body: RuleBody) {
  const call = wholeMerchant(narrow, key.merchant_id)
  await (kind === 'firmware' ? firmwareOfRule(call.doors, updateId) : databaseOfRule(call.db, updateId))
  const { state, updateId: before, withinGroups } = await heldRollout(call, key)
  if (state !== 'draft' && before !== updateId) throw new ProductError('RolloutStarted')
  const groups = groupsOf(call, key.merchant_id)
  if (!isOwnRule({ target: body.target, withinGroups }, groups)) throw new ProductError('RuleOfOtherGroups')
  await writeRule(call, kind, key, { merchantId: key.merchant_id, id: key.id, updateId, withinGroups }, body)
}

/** The state of a rollout that prevents the deletion of its rule: machines may be on their way. */
export async function preventsDeletion(narrow: TenantCall, key: Key): Promise<{ state: string } | undefined> {
  const { state } = await heldRollout(wholeMerchant(narrow, key.merchant_id), key)
  return state === 'draft' || state === 'complete' || state === 'ended' ? undefined : { state }
}
