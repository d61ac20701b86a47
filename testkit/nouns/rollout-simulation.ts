import { type RolloutDirection } from '#contract/updates/rollout-kind.ts'
import { badStates, type RolloutMachineState, type RolloutReason } from '#contract/updates/rollout-state.ts'
import { type Decision, decide, type Rollout, type RolloutPlan } from '#domain/updates/rollout.ts'
import { returningOf } from '#domain/updates/rollout-control.ts'
import {
  hasReceived,
  hindranceOf,
  type MachineInFlight,
  outcomeOf,
  type WaitingMachine,
  windowHindrance,
} from '#domain/updates/rollout-machine.ts'
import { tallyOf } from '#domain/updates/rollout-tally.ts'
import { windowAt } from '#domain/updates/rollout-window.ts'

/* Rollouts by the rules alone: machines that fare well or badly, minute by minute, without a database. */

/** A machine of a rollout, with all that decides about it. */
interface RolloutMember {
  id: string
  state: RolloutMachineState
  reason: RolloutReason | null
  isAccepted: boolean
  direction: RolloutDirection
  hasReceived: boolean
  flight: Omit<MachineInFlight, 'state'>
  waiting: Omit<WaitingMachine, 'version' | 'toVersion' | 'isOnline'>
}

/** The zone whose clock the machines' windows follow, and the usual minutes of the update. */
interface Place {
  timeZone: string
  usualMinutes: number
}
export const rome: Place = { timeZone: 'Europe/Rome', usualMinutes: 12 }

/** The machines that start in a minute, in their order. */
function startsOf(plan: RolloutPlan, { rollout, machines, place }: World, decision: Decision, now: Date) {
  if (decision.kind !== 'go' || windowHindrance(plan, place.timeZone, now, place.usualMinutes) !== null) return []
  const isBack = rollout.direction === 'back'
  const isStartable = ({ state, direction, waiting, flight }: RolloutMember) =>
    state === 'waiting' &&
    direction === rollout.direction &&
    !hindranceOf({ ...waiting, ...flight, allowDowngrade: isBack || waiting.allowDowngrade })
  return machines.filter(isStartable).slice(0, decision.room)
}

export const minute = 60_000
/** 02:00 in Rome. */
export const start = Date.UTC(2026, 10, 24, 1)

export type Fate = 'good' | 'error' | 'oldVersion' | 'silent' | 'silentLater' | 'alarms' | 'fallsBack' | 'never'

/** A machine that does what its fate says, some minutes after its command. On the way back it does it too, if its way back is as bad. */
export interface SimulatedMachine extends RolloutMember {
  fate: Fate
  backFate: Fate
  delay: number
  startedAt: number | null
  /** Whether it has run the new version at any time. */
  hasRun: boolean
}

export const plan = (with_: Partial<RolloutPlan> = {}): RolloutPlan => ({
  cohorts: [
    { by: 'machines', size: 1 },
    { by: 'percent', size: 5 },
    { by: 'percent', size: 25 },
    { by: 'percent', size: 100 },
  ],
  goodPercent: 95,
  healthMinutes: 10,
  silentMinutes: 15,
  failedPercent: 2,
  silentPercent: 2,
  alarmedPercent: 2,
  installWindow: null,
  ...with_,
})

export const machineOf = (id: number, fate: Fate, delay: number, backFate: Fate = 'good'): SimulatedMachine => ({
  id: String(id),
  fate,
  backFate,
  delay,
  startedAt: null,
  hasRun: false,
  state: 'waiting',
  reason: null,
  isAccepted: false,
  direction: 'forward',
  hasReceived: false,
  flight: {
    toVersion: '2',
    version: '1',
    isOnline: true,
    lastSeenAt: new Date(start),
    versionAt: new Date(start),
    command: null,
    watchedSince: null,
    watchUntil: null,
    alarmsAfter: 0,
    alarmsBefore: 0,
  },
  waiting: {
    fromVersions: null,
    isTarget: true,
    isElsewhere: false,
    mayBeFirst: false,
    hasCommand: false,
    allowDowngrade: false,
  },
})

const forever = new Date(start + 1e9)
const sent = (expiresAt: Date) => ({
  status: 1,
  result: null,
  info: null,
  startedAt: null,
  executedAt: null,
  phase: null,
  expiresAt,
})

/** What the machine reports until an instant. */
function live(machine: SimulatedMachine, now: number): void {
  const { flight, direction } = machine
  const fate = direction === 'back' && flight.toVersion === '1' ? machine.backFate : machine.fate
  if (machine.startedAt === null || !flight.command) return
  const { expiresAt } = flight.command
  const go = machine.startedAt + machine.delay * minute
  const installed = go + machine.delay * minute
  const isGone = (fate === 'silent' && now >= go) || (fate === 'silentLater' && now >= installed + 2 * minute)
  flight.isOnline = !isGone
  if (!isGone) flight.lastSeenAt = new Date(now)
  if (fate === 'never' || now < go) return
  const startedAt = new Date(go)
  // The file is still loading when the window closes: the machine says so and keeps its version.
  if (expiresAt.getTime() < installed && now >= expiresAt.getTime()) {
    flight.command = {
      ...sent(expiresAt),
      startedAt,
      executedAt: expiresAt,
      status: 5,
      result: 2,
      phase: 'downloading',
    }
    return
  }
  flight.command = { ...sent(expiresAt), startedAt, phase: 'downloading' }
  if (fate === 'silent' || now < installed) return
  const executedAt = new Date(installed)
  const ended = fate === 'error' ? { status: 5, result: 2 } : { status: 2, result: 0 }
  flight.command = { ...sent(expiresAt), startedAt, executedAt, phase: 'installing', ...ended }
  if (fate === 'error') return
  flight.versionAt = new Date(installed + 1)
  const old = flight.toVersion === '2' ? '1' : '2'
  flight.version =
    fate === 'oldVersion' || (fate === 'fallsBack' && now >= installed + 3 * minute) ? old : flight.toVersion
  machine.hasRun ||= flight.version === '2'
  if (fate === 'alarms' && now >= installed + 2 * minute) flight.alarmsAfter = 1
}

export interface World {
  rollout: Rollout
  machines: SimulatedMachine[]
  place: Place
  haltedAt: number | null
}

export const aWorld = (machines: SimulatedMachine[], cohort = 0, place = rome): World => ({
  rollout: { state: 'running', direction: 'forward', cohort },
  machines,
  place,
  haltedAt: null,
})
export const tallyIn = ({ rollout, machines }: World) => tallyOf(machines, rollout.direction)

function watch({ flight }: SimulatedMachine, rules: RolloutPlan, now: number) {
  flight.watchedSince = new Date(now)
  flight.watchUntil = new Date(now + rules.healthMinutes * minute)
  flight.alarmsAfter = 0
}

/** Machines that return: each to its version before. One that reports it already needs nothing. */
function turn({ rollout, machines }: World): void {
  if (rollout.direction === 'forward') return
  for (const machine of machines) {
    const { flight } = machine
    if (machine.direction === 'forward' && returningOf(tallyOf([machine])) > 0) {
      Object.assign(machine, { direction: 'back', isAccepted: false, state: 'waiting', startedAt: null, reason: null })
      Object.assign(flight, { toVersion: '1', command: null, watchUntil: null, watchedSince: null, alarmsAfter: 0 })
    }
    const isWaiting = machine.state === 'waiting' || machine.state === 'current'
    // A silent machine answers at last. Its report decides.
    if (machine.direction === 'back' && isWaiting) {
      flight.isOnline = true
      machine.state = flight.version === '1' && machine.startedAt === null ? 'current' : 'waiting'
    }
  }
}

/** What a user decides about a halted rollout. */
export function act(
  { rollout, machines }: World,
  command: 'resume' | 'retry' | 'back',
  rules: RolloutPlan,
  now: number,
): void {
  if (command === 'back' && rollout.direction === 'back') return
  for (const machine of machines) {
    const { state, flight } = machine
    const isBad = badStates.includes(state as 'failed') && machine.direction === rollout.direction
    if (command === 'back' && state === 'sent' && !flight.command?.startedAt) {
      Object.assign(machine, { state: 'waiting', startedAt: null })
      flight.command = null
    }
    if (!isBad) continue
    if (command === 'resume') machine.isAccepted = true
    if (command !== 'retry') continue
    const hasVersion = flight.version === flight.toVersion
    Object.assign(machine, {
      state: hasVersion ? 'watching' : 'waiting',
      isAccepted: false,
      fate: 'good',
      backFate: 'good',
    })
    machine.hasReceived ||= hasVersion && machine.direction === 'forward'
    flight.isOnline = true
    if (hasVersion) watch(machine, rules, now)
    else {
      machine.startedAt = null
      flight.command = null
    }
  }
  rollout.state = 'running'
  if (command === 'back') Object.assign(rollout, { direction: 'back', cohort: 0 })
}

/** One minute: reports arrive, machines get their outcomes, the rollout decides, and its decision is carried out. */
export function pass(world: World, rules: RolloutPlan, at: number): string[] {
  const { rollout, machines } = world
  const now = new Date(at)
  for (const machine of machines) {
    live(machine, at)
    const { state, flight } = machine
    const outcome = state === 'sent' || state === 'watching' ? outcomeOf({ ...flight, state }, rules, now) : null
    if (!outcome) continue
    if (machine.direction === 'forward') machine.hasReceived ||= hasReceived({ ...flight, state: 'sent' }, outcome)
    if (outcome.state === 'watching') watch(machine, rules, at)
    if (outcome.state === 'waiting') machine.startedAt = null
    Object.assign(machine, outcome)
  }
  if (rollout.state === 'running') turn(world)
  const decision = decide(rules, rollout, tallyIn(world))
  const starts = startsOf(rules, world, decision, now)
  if (decision.kind === 'halt') {
    rollout.state = 'halted'
    world.haltedAt ??= at
  }
  if (decision.kind === 'go') rollout.cohort = decision.cohort
  if (decision.kind === 'complete') rollout.state = rollout.direction === 'back' ? 'ended' : 'complete'
  const { timeZone, usualMinutes } = world.place
  const closesAt = windowAt(rules.installWindow, timeZone, now, usualMinutes)?.closesAt
  for (const machine of starts) {
    machine.state = 'sent'
    machine.startedAt = at
    machine.flight.command = sent(closesAt ?? forever)
  }
  return starts.map(({ id }) => id)
}
