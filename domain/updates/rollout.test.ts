import { expect, test } from 'vitest'
import type { RolloutPlan } from './rollout.ts'
import { decide, membersOf, neededOf } from './rollout.ts'
import { returningOf } from './rollout-control.ts'
import { hasReceived, hindranceOf, type MachineInFlight, outcomeOf, windowHindrance } from './rollout-machine.ts'
import { nextSteps } from './rollout-next.ts'
import { tallyOf } from './rollout-tally.ts'
import { isOpenAt, windowAt } from './rollout-window.ts'
import { usualMinutesOf } from './usual-minutes.ts'

const plan: RolloutPlan = {
  cohorts: [
    { by: 'machines', size: 1 },
    { by: 'percent', size: 100 },
  ],
  goodPercent: 100,
  healthMinutes: 60,
  silentMinutes: 30,
  failedPercent: 0,
  silentPercent: 10,
  alarmedPercent: 10,
  installWindow: { from: '02:00', to: '05:00' },
}
const at = (time: string) => new Date(`2026-11-24T${time}:00Z`)
const many = ({ outbound = 0, ...states }: Record<string, number>) => ({
  ...tallyOf(
    Object.entries(states).map(([state, count]) =>
      state === 'accepted'
        ? { state: 'failed' as const, isAccepted: true, count }
        : { state: state as 'waiting', isAccepted: false, count },
    ),
  ),
  outbound,
})

const window = { expiresAt: at('04:00'), phase: 'installing' as const }
const machine = (with_: Partial<MachineInFlight> = {}): MachineInFlight => ({
  state: 'sent',
  toVersion: '2',
  version: '1',
  isOnline: true,
  lastSeenAt: at('02:00'),
  versionAt: at('01:00'),
  command: { status: 1, result: null, info: null, startedAt: at('02:00'), executedAt: null, ...window },
  watchedSince: null,
  watchUntil: null,
  alarmsAfter: 0,
  alarmsBefore: 0,
  ...with_,
})
const ended = (status: number, result: number, startedAt: Date | null = at('02:00')) => ({
  command: { status, result, info: 'no space', startedAt, executedAt: startedAt && at('02:10'), ...window },
})

test('an acknowledged command alone is no success', () => {
  expect(outcomeOf(machine(ended(2, 0)), plan, at('02:20'))).toBeNull()
  expect(outcomeOf(machine({ ...ended(2, 0), version: '2' }), plan, at('02:20'))).toMatchObject({ state: 'watching' })
})

test('a machine that reports the old version after its result has failed', () => {
  const back = machine({ ...ended(2, 0), versionAt: at('02:12') })
  expect(outcomeOf(back, plan, at('02:13'))).toEqual({ state: 'failed', reason: 'oldVersion' })
  expect(outcomeOf(machine(ended(2, 0)), plan, at('02:41'))).toEqual({ state: 'failed', reason: 'oldVersion' })
})

test('a machine that is silent after its go is silent, however its command ends', () => {
  const gone = { isOnline: false, lastSeenAt: at('02:05') }
  expect(outcomeOf(machine(gone), plan, at('02:34'))).toBeNull()
  expect(outcomeOf(machine(gone), plan, at('02:35'))).toEqual({ state: 'silent', reason: 'silentAfterGo' })
  expect(outcomeOf(machine({ ...gone, ...ended(2, 0) }), plan, at('02:40'))).toMatchObject({ state: 'silent' })
})

test('a command that the machine never took is sent again in the next window', () => {
  expect(outcomeOf(machine(ended(3, -2, null)), plan, at('05:00'))).toEqual({
    state: 'waiting',
    reason: 'commandExpired',
  })
  expect(outcomeOf(machine(ended(3, -3, null)), plan, at('05:00'))).toMatchObject({ state: 'held' })
  expect(outcomeOf(machine(ended(3, 1, null)), plan, at('05:00'))).toMatchObject({
    state: 'failed',
    reason: 'unsupported',
  })
  expect(outcomeOf(machine(ended(5, 2)), plan, at('02:11'))).toEqual({
    state: 'failed',
    reason: 'refusedByMachine',
    detail: 'no space',
  })
})

test('a watched machine is confirmed at the end of its watch, and only if it is online and healthy', () => {
  const watched = (with_: Partial<MachineInFlight>) =>
    outcomeOf(machine({ state: 'watching', version: '2', watchUntil: at('03:30'), ...with_ }), plan, at('03:30'))
  expect(watched({})).toEqual({ state: 'confirmed', reason: 'healthy' })
  expect(watched({ watchUntil: at('03:31') })).toBeNull()
  expect(watched({ isOnline: false, lastSeenAt: at('03:20') })).toBeNull()
  expect(watched({ isOnline: false, lastSeenAt: at('03:00') })).toEqual({
    state: 'silent',
    reason: 'silentAfterUpdate',
  })
  expect(watched({ alarmsAfter: 2, alarmsBefore: 1 })).toEqual({ state: 'alarmed', reason: 'newAlarms' })
  expect(watched({ alarmsAfter: 1, alarmsBefore: 1 })).toMatchObject({ state: 'confirmed' })
  expect(watched({ version: '1' })).toEqual({ state: 'failed', reason: 'oldVersion' })
})

test('a window that closes while the file loads is no failure: the machine waits for the next one', () => {
  const loading = (phase: 'downloading' | 'waiting' | 'installing' | null, executedAt: Date | null, result = 2) =>
    machine({
      command: {
        status: executedAt ? 5 : 3,
        result,
        info: 'window over',
        startedAt: at('02:00'),
        executedAt,
        expiresAt: at('04:00'),
        phase,
      },
    })
  const waits = { state: 'waiting', reason: 'windowOver' }
  expect(outcomeOf(loading('downloading', at('04:00')), plan, at('04:01'))).toMatchObject(waits)
  expect(outcomeOf(loading('waiting', at('04:02')), plan, at('04:03'))).toMatchObject(waits)
  // The machine's clock is some minutes fast. A machine that reports no steps has not installed.
  expect(outcomeOf(loading(null, at('03:56')), plan, at('03:57'))).toMatchObject(waits)
  // Given up an hour after its last step.
  expect(outcomeOf(loading('downloading', null, -2), plan, at('04:40'))).toMatchObject(waits)
  expect(hasReceived(loading('downloading', at('04:00')), { state: 'waiting', reason: 'windowOver' })).toBe(false)
  // An error inside the window, and one while it installs, are failures.
  const failed = { state: 'failed', reason: 'refusedByMachine' }
  expect(outcomeOf(loading('downloading', at('03:00')), plan, at('03:01'))).toMatchObject(failed)
  expect(outcomeOf(loading('installing', at('04:01')), plan, at('04:02'))).toMatchObject(failed)
})

test('a machine that took the command has received the version, unless it refused or kept waiting', () => {
  const outcome = { state: 'silent', reason: 'silentAfterGo' } as const
  expect(hasReceived(machine(), outcome)).toBe(true)
  expect(hasReceived(machine({ command: null, version: '2' }), { state: 'watching', reason: 'healthy' })).toBe(true)
  expect(hasReceived(machine(ended(3, -3, null)), { state: 'held', reason: 'cancelled' })).toBe(false)
  expect(hasReceived(machine(ended(5, 2)), { state: 'failed', reason: 'refusedByMachine' })).toBe(false)
})

test('a machine that is watched again is silent only after its time', () => {
  const again = { state: 'watching' as const, version: '2', isOnline: false, lastSeenAt: at('01:00') }
  const watched = machine({ ...again, watchedSince: at('03:00'), watchUntil: at('04:00') })
  expect(outcomeOf(watched, plan, at('03:29'))).toBeNull()
  expect(outcomeOf(watched, plan, at('03:30'))).toMatchObject({ state: 'silent' })
})

test('a waiting machine names what holds it', () => {
  const waiting = {
    version: '1',
    toVersion: '2',
    isOnline: true,
    fromVersions: ['1'],
    isElsewhere: false,
    hasCommand: false,
    mayBeFirst: false,
    isTarget: true,
    allowDowngrade: false,
  }
  expect(hindranceOf(waiting)).toBeNull()
  expect(hindranceOf({ ...waiting, isTarget: false })).toBe('movedAway')
  expect(hindranceOf({ ...waiting, version: '2' })).toBe('hasVersion')
  expect(hindranceOf({ ...waiting, isOnline: false })).toBe('offline')
  const newer = { ...waiting, version: '3', fromVersions: null }
  expect(hindranceOf(newer)).toBe('newerVersion')
  expect(hindranceOf({ ...newer, allowDowngrade: true })).toBeNull()
  expect(hindranceOf({ ...waiting, version: '0' })).toBe('otherVersion')
  expect(hindranceOf({ ...waiting, version: null })).toBe('versionUnknown')
  const first = { ...waiting, version: null, mayBeFirst: true }
  expect(hindranceOf({ ...first, fromVersions: null })).toBeNull()
  expect(hindranceOf(first)).toBe('otherVersion')
  expect(hindranceOf({ ...waiting, isElsewhere: true })).toBe('otherRollout')
  expect(hindranceOf({ ...waiting, hasCommand: true })).toBe('commandPending')
})

test('nothing starts when its usual time is longer than what is left of the window', () => {
  const hindrance = (time: string, usualMinutes: number, installWindow = plan.installWindow) =>
    windowHindrance({ installWindow }, 'Europe/Rome', at(time), usualMinutes)
  // 02:00 to 05:00 in Rome is 01:00 to 04:00.
  expect(hindrance('12:00', 30)).toBe('outsideWindow')
  expect(hindrance('03:30', 30)).toBeNull()
  expect(hindrance('03:31', 30)).toBe('windowTooShort')
  expect(hindrance('12:00', 30, null)).toBeNull()
  // A window that is shorter than the update is of use in its first half.
  const short = { from: '02:00', to: '02:30' }
  expect(hindrance('01:15', 90, short)).toBeNull()
  expect(hindrance('01:16', 90, short)).toBe('windowTooShort')
})

test('the usual time is that of past updates with the same file, else of the same kind, else half an hour', () => {
  expect(usualMinutesOf([], [])).toBe(30)
  expect(usualMinutesOf([4, 5], [4, 5])).toBe(30)
  expect(usualMinutesOf([4, 5], [4, 5, 12, 8])).toBe(8)
  expect(usualMinutesOf([9.2, 2, 3, 60], [1, 1, 1, 1, 1])).toBe(10)
})

test('the next cohort opens when this one is good, and accepted machines do not count', () => {
  const first = { state: 'running', direction: 'forward', cohort: 0 } as const
  expect(decide(plan, first, many({ waiting: 3 }))).toEqual({ kind: 'go', cohort: 0, room: 1 })
  expect(decide(plan, first, many({ waiting: 2, watching: 1 }))).toEqual({ kind: 'go', cohort: 0, room: 0 })
  expect(decide(plan, first, many({ waiting: 2, confirmed: 1 }))).toEqual({ kind: 'go', cohort: 1, room: 2 })
  expect(decide(plan, first, many({ waiting: 2, failed: 1 }))).toMatchObject({
    kind: 'halt',
    halt: { count: 1, allowed: 0 },
  })
  expect(decide(plan, first, many({ waiting: 2, accepted: 1 }))).toEqual({ kind: 'go', cohort: 1, room: 2 })
  expect(decide(plan, first, many({ confirmed: 3 }))).toEqual({ kind: 'complete', cohort: 1 })
  expect(neededOf(plan, many({ accepted: 1, confirmed: 2 }), 3)).toBe(2)
})

test('machines that join a complete rollout start it again; draft, halted and ended rollouts do nothing', () => {
  const later = many({ confirmed: 3, waiting: 1 })
  expect(decide(plan, { state: 'complete', direction: 'forward', cohort: 1 }, later)).toEqual({
    kind: 'go',
    cohort: 1,
    room: 1,
  })
  for (const state of ['draft', 'halted', 'ended'] as const)
    expect(decide(plan, { state, direction: 'forward', cohort: 1 }, later)).toEqual({ kind: 'nothing' })
})

test('the way back has the cohorts and the limits of the way forward', () => {
  const back = { state: 'running', direction: 'back', cohort: 0 } as const
  expect(decide(plan, back, many({ waiting: 31 }))).toEqual({ kind: 'go', cohort: 0, room: 1 })
  expect(decide(plan, back, many({ waiting: 30, watching: 1 }))).toEqual({ kind: 'go', cohort: 0, room: 0 })
  expect(decide(plan, back, many({ waiting: 30, confirmed: 1 }))).toEqual({ kind: 'go', cohort: 1, room: 30 })
  expect(decide(plan, back, many({ waiting: 30, failed: 1 }))).toMatchObject({ kind: 'halt' })
  // Machines without a version to return to do not keep it open; machines that still install the new version do.
  expect(decide(plan, back, many({ confirmed: 30, held: 1 }))).toEqual({ kind: 'complete', cohort: 1 })
  expect(decide(plan, back, many({ confirmed: 30, outbound: 1 }))).toMatchObject({ kind: 'go' })
})

test('retried machines stay members, and all that have received the version return', () => {
  const machines = [
    { state: 'waiting' as const, isAccepted: false, hasReceived: true, count: 2 },
    { state: 'current' as const, isAccepted: false, hasReceived: true },
    { state: 'current' as const, isAccepted: false, count: 5 },
    { state: 'confirmed' as const, isAccepted: false, hasReceived: true, count: 28 },
  ]
  expect(membersOf(tallyOf(machines))).toBe(30)
  expect(returningOf(tallyOf(machines))).toBe(31)
})

test('a window is open by the local time of the machine, also over midnight', () => {
  const nightly = { from: '23:00', to: '01:00' }
  expect(isOpenAt(nightly, 'Europe/Rome', at('23:30'))).toBe(true)
  expect(isOpenAt(nightly, 'Europe/Rome', at('00:30'))).toBe(false)
  expect(isOpenAt(plan.installWindow, 'America/Bogota', at('08:00'))).toBe(true)
  expect(windowAt(nightly, 'Europe/Rome', at('12:00'))).toEqual({
    opensAt: at('22:00'),
    closesAt: new Date('2026-11-25T00:00Z'),
  })
})

test('the next steps name the window, the health check and the cohort after it', () => {
  const facts = { timeZone: 'Europe/Rome', watchedUntil: at('03:30'), ready: 2, usualMinutes: 20 }
  const first = { state: 'running', direction: 'forward', cohort: 0 } as const
  expect(nextSteps(plan, first, many({ waiting: 3 }), facts, at('12:00'))).toEqual([
    { step: 'window', machines: 1, at: new Date('2026-11-25T01:00Z') },
    { step: 'nextCohort', machines: 2, at: null },
  ])
  expect(nextSteps(plan, first, many({ waiting: 2, watching: 1 }), facts, at('03:00'))[0]).toEqual({
    step: 'health',
    machines: 1,
    at: at('03:30'),
  })
  // Too little of the window is left: they start in the next one.
  expect(nextSteps(plan, first, many({ waiting: 3 }), facts, at('03:50'))[0]).toEqual({
    step: 'window',
    machines: 1,
    at: new Date('2026-11-25T01:00Z'),
  })
  expect(
    nextSteps(plan, { ...first, state: 'halted' }, many({ waiting: 2, failed: 1 }), facts, at('03:00'))[0]?.step,
  ).toBe('decide')
})
