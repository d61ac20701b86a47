import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import {
  type ControlRollout,
  mostRolloutEvents,
  type Rollout,
  type RolloutCounts,
  RolloutMachine,
  type RolloutMachineFilters,
  type rolloutMachineOrds,
} from '#contract/updates/rollout.ts'
import type { Cohort } from '#contract/updates/rollout-plan.ts'
import { badStates } from '#contract/updates/rollout-state.ts'
import { connections } from '#contract/vocabulary/device.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { Page, Sorted } from '#database/frame/list.ts'
import { recordChange } from '#database/platform/change-log.ts'
import {
  backVersions,
  type CountedMachines,
  countMachines,
  eventsOf,
  findRollout,
  type RolloutRecord,
  scopeOf,
  tallyOfRollout,
  watchedUntil,
} from '#database/updates/rollout.ts'
import { controlRollout } from '#database/updates/rollout-control.ts'
import { listRolloutMachines, type RolloutMachineRow } from '#database/updates/rollout-list.ts'
import { candidates, countReady, doesDowngrade, usualMinutes } from '#database/updates/rollout-start.ts'
import { contradiction } from '#database/updates/rule-target.ts'
import { allowedOf, decide, membersOf, neededOf, sizeOf } from '#domain/updates/rollout.ts'
import { isOwnRule, isPossible, returningOf } from '#domain/updates/rollout-control.ts'
import { hindranceOf, mayBeFirst, windowHindrance } from '#domain/updates/rollout-machine.ts'
import { nextSteps } from '#domain/updates/rollout-next.ts'
import { tallyOf } from '#domain/updates/rollout-tally.ts'
import type { TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { wireOfFacts } from '#server/http/wire.ts'
import { releaseOfDatabase, releaseOfFirmware } from '#server/updates/find-release.ts'
import { groupsOf, heldRollout, refuseOtherTypes, wholeMerchant } from './update-rule.ts'

type RuleNoun = 'firmwareRule' | 'cashDatabaseRule'
const kindOf = { firmwareRule: 'firmware', cashDatabaseRule: 'cashDatabase' } as const
const missing = { firmwareRule: 'FirmwareRuleNotFound', cashDatabaseRule: 'CashDatabaseRuleNotFound' } as const

async function rolloutOf({ db }: TenantCall, noun: RuleNoun, id: string): Promise<RolloutRecord> {
  const rollout = await findRollout(db, id)
  if (rollout?.kind !== kindOf[noun]) throw new ProductError(missing[noun])
  return rollout
}

/** Machines that started in a cohort or one before it. */
const upTo = (counted: readonly CountedMachines[], cohort: number) =>
  counted.filter((one) => one.cohort !== null && one.cohort <= cohort)

async function present(narrow: TenantCall, rollout: RolloutRecord): Promise<Rollout> {
  const call = wholeMerchant(narrow, rollout.merchantId)
  const { db, now } = call
  const counted = await countMachines(db, rollout)
  const { plan, direction } = rollout
  const tally = tallyOf(counted, direction)
  const members = membersOf(tally)
  const events = await eventsOf(db, rollout, mostRolloutEvents)
  const [named] = await withShownNames(call, [rollout], 'startedBy', 'startedByName')
  // The way back opens its cohorts again.
  const turned = direction === 'back' ? events.findIndex(({ act }) => act === 'wentBack') : -1
  const ofThisWay = turned === -1 ? events : events.slice(0, turned + 1)
  const openedAt = (cohort: number) =>
    ofThisWay.find(({ act, cohort: of }) =>
      cohort === 0 ? act === (direction === 'back' ? 'wentBack' : 'started') : act === 'cohortOpened' && of === cohort,
    )?.at
  const facts = {
    timeZone: rollout.timeZone,
    watchedUntil: await watchedUntil(db, rollout),
    ready: await countReady(db, rollout),
    usualMinutes: await usualMinutes(db, rollout),
  }
  const open = plan.cohorts[rollout.cohort] as Cohort
  return {
    id: rollout.id,
    merchantId: rollout.merchantId,
    merchantName: rollout.merchantName,
    timeZone: rollout.timeZone,
    kind: rollout.kind,
    name: rollout.name,
    release: rollout.release,
    peripheral: rollout.peripheral as Peripheral | null,
    deviceTypes: rollout.deviceTypes as Rollout['deviceTypes'],
    fromVersions: plan.fromVersions,
    installWindow: plan.installWindow,
    healthMinutes: plan.healthMinutes,
    silentMinutes: plan.silentMinutes,
    goodPercent: plan.goodPercent,
    state: rollout.state,
    direction: rollout.direction,
    cohort: rollout.cohort,
    startedAt: toWireOrNull(rollout.startedAt),
    startedBy: named?.startedByName ?? null,
    haltedAt: toWireOrNull(rollout.haltedAt),
    halt: rollout.halt,
    members,
    counts: tally as RolloutCounts,
    cohorts: plan.cohorts.map((cohort, at) => {
      const machines = sizeOf(cohort, members)
      const counts = tallyOf(upTo(counted, at), direction)
      return {
        cohort,
        machines,
        needed: neededOf(plan, counts, machines),
        counts: counts as RolloutCounts,
        openedAt: toWireOrNull(openedAt(at) ?? null),
      }
    }),
    limits: badStates.map((cause) => ({
      cause,
      count: tally[cause],
      allowed: allowedOf(plan, cause, sizeOf(open, members)),
    })),
    canGoBack: direction === 'forward' ? returningOf(tally) : 0,
    backTo: direction === 'back' ? await backVersions(db, rollout) : [],
    usualMinutes: facts.usualMinutes,
    next: nextSteps(plan, rollout, tally, facts, now).map(({ at, ...step }) => ({ ...step, at: toWireOrNull(at) })),
    history: (await withShownNames(call, events, 'user_id', 'user_name')).map((event) => ({
      id: event.id,
      at: toWire(event.at),
      act: event.act as Rollout['history'][number]['act'],
      by: event.user_name,
      note: event.note,
      cohort: event.cohort,
      machines: event.machines,
      halt: event.halt as Rollout['halt'],
    })),
    mayAct: isOwnRule(scopeOf(rollout), groupsOf(narrow, rollout.merchantId)),
  }
}

/** What decides which waiting machines start next. */
interface Starting {
  selected: ReadonlySet<string>
  isRunning: boolean
  hasLaterCohort: boolean
  window: RolloutMachine['reason']
}

/** The machines that the next minute would start, by the starter's own decision and order. The window may hold them until it opens. */
async function startingOf(call: TenantCall, rollout: RolloutRecord): Promise<Starting> {
  const { db, now } = wholeMerchant(call, rollout.merchantId)
  const { plan, timeZone } = rollout
  const decision = decide(plan, rollout, await tallyOfRollout(db, rollout))
  const { cohort, room } = decision.kind === 'go' ? decision : { cohort: rollout.cohort, room: 0 }
  const selectedMachines = room > 0 ? await candidates(db, { ...rollout, cohort }, room) : []
  return {
    selected: new Set(selectedMachines.map(({ machineId }) => machineId)),
    isRunning: decision.kind === 'go',
    hasLaterCohort: cohort < plan.cohorts.length - 1,
    window: plan.installWindow ? windowHindrance(plan, timeZone, now, await usualMinutes(db, rollout)) : null,
  }
}

/** Why a machine is where it is: of waiting machines and those on their way, what holds or occupies them now. */
function reasonOf(row: RolloutMachineRow, rollout: RolloutRecord, starting: Starting): RolloutMachine['reason'] {
  if (row.state === 'sent') return row.executedAt ? 'restarting' : row.startedAt ? 'installing' : 'notClaimed'
  if (row.state !== 'waiting') return row.reason
  // On the way back, a machine that has not started stays with its version.
  if (row.direction !== rollout.direction) return 'keepsVersion'
  const { fromVersions } = rollout.plan
  const hindrance = hindranceOf({
    version: row.reported,
    toVersion: row.toVersion,
    allowDowngrade: doesDowngrade(rollout),
    isOnline: row.connection === connections.online,
    isTarget: row.isTarget,
    isElsewhere: row.isElsewhere,
    hasCommand: row.hasCommand,
    mayBeFirst: mayBeFirst(rollout),
    fromVersions: rollout.direction === 'back' || fromVersions.length === 0 ? null : fromVersions,
  })
  if (hindrance) return hindrance
  if (!starting.isRunning) return 'notRunning'
  if (!starting.selected.has(row.posId)) return starting.hasLaterCohort ? 'laterCohort' : 'inTurn'
  if (starting.window) return row.reason === 'windowOver' ? row.reason : starting.window
  return 'next'
}

const presentMachine = (row: RolloutMachineRow, reason: RolloutMachine['reason']): RolloutMachine =>
  wireOfFacts(RolloutMachine, row, {
    reason,
    progress:
      row.state === 'sent' && row.phase !== null ? { phase: row.phase as 'downloading', percent: row.percent } : null,
  })

export const getRollout = async (call: TenantCall, noun: RuleNoun, id: string): Promise<Rollout> =>
  present(call, await rolloutOf(call, noun, id))

type MachineQuery = RolloutMachineFilters & Page & Sorted<(typeof rolloutMachineOrds)[number]>

export async function machinesOf(call: TenantCall & { query: MachineQuery }, noun: RuleNoun, id: string) {
  const { db, query } = call
  const rollout = await rolloutOf(call, noun, id)
  const { rows, ...total } = await listRolloutMachines(db, rollout, query)
  const starting = await startingOf(call, rollout)
  return { ...total, items: rows.map((row) => presentMachine(row, reasonOf(row, rollout, starting))) }
}

/** A user's decision about a rollout, checked against its state under the lock of the minute's decision. */
export async function control(
  narrow: TenantCall & { body: ControlRollout },
  noun: RuleNoun,
  id: string,
): Promise<Rollout> {
  const visible = await rolloutOf(narrow, noun, id)
  const { merchantId } = visible
  const call = wholeMerchant(narrow, merchantId)
  const { db, doors, body, user, now, live } = call
  const rollout = await heldRollout(call, { merchant_id: merchantId, id })
  const { command, note } = body
  if (!isPossible(command, rollout, await tallyOfRollout(db, rollout)))
    throw new ProductError('RolloutNotPossible', { state: rollout.state })
  if (command === 'start') {
    const other = await contradiction(db, merchantId, { ...scopeOf(rollout), id })
    if (other) throw new ProductError('RuleContradicts', other)
    const { deviceTypes } = await (rollout.kind === 'firmware'
      ? releaseOfFirmware(doors, rollout.updateId)
      : releaseOfDatabase(db, rollout.updateId))
    await refuseOtherTypes(call, merchantId, { ...scopeOf(rollout), deviceTypes })
  }
  await controlRollout(db, rollout, command, { id: user.id, name: user.name, note }, now)
  await recordChange(db, {
    merchantId,
    at: now,
    user,
    action: `${noun}.control`,
    subjectType: noun,
    subjectId: id,
    before: { state: rollout.state },
    after: { command, ...(note && { note }), state: (await findRollout(db, id))?.state },
  })
  db.afterCommit(() => live.announce(merchantId, noun))
  return present(narrow, await rolloutOf(narrow, noun, id))
}
