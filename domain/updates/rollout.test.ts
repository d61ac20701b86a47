import { expect, test } from 'vitest'
import type { RolloutPlan } from './rollout.ts'
import { decide, neededOf } from './rollout.ts'
import { hindranceOf, type MachineInFlight, outcomeOf } from './rollout-machine.ts'
import { nextSteps } from './rollout-next.ts'
import { tallyOf } from './rollout-tally.ts'
import { isOpenAt, windowAt } from './rollout-window.ts'

const plan: RolloutPlan = {
  cohorts: [
    { by: 'machines', size: 1 },
    { by: 'percent', size: 100 },
  ],
  ...{ goodPercent: 100, healthMinutes: 60, silentMinutes: 30 },
  ...{ failedPercent: 0, silentPercent: 10, alarmedPercent: 10 },
  installWindow: { from: '02:00', to: '05:00' },
}
const at = (time: string) => new Date(`2026-11-24T${time}:00Z`)
const many = (states: Record<string, number>) =>
  tallyOf(
    Object.entries(states).map(([state, count]) =>
      state === 'accepted'
        ? { state: 'failed' as const, isAccepted: true, count }
        : { state: state as 'waiting', isAccepted: false, count },
    ),
  )

const machine = (with_: Partial<MachineInFlight> = {}): MachineInFlight => ({
  state: 'sent',
  ...{ toVersion: '2', version: '1', isOnline: true, lastSeenAt: at('02:00'), versionAt: at('01:00') },
  command: { status: 1, result: null, info: null, startedAt: at('02:00'), executedAt: null },
  ...{ watchUntil: null, alarmsAfter: 0, alarmsBefore: 0 },
  ...with_,
})
const ended = (status: number, result: number, startedAt: Date | null = at('02:00')) => ({
  command: { status, result, info: 'no space', startedAt, executedAt: startedAt && at('02:10') },
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
    ...{ state: 'failed', reason: 'refusedByMachine', detail: 'no space' },
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

test('a waiting machine names what holds it', () => {
  const waiting = {
    ...{ version: '1', isOnline: true, timeZone: 'Europe/Rome', fromVersions: ['1'], isElsewhere: false },
    ...{ hasCommand: false, mayBeFirst: false },
  }
  expect(hindranceOf(waiting, plan, at('01:30'))).toBeNull()
  expect(hindranceOf(waiting, plan, at('12:00'))).toBe('outsideWindow')
  expect(hindranceOf({ ...waiting, isOnline: false }, plan, at('01:30'))).toBe('offline')
  expect(hindranceOf({ ...waiting, version: '0' }, plan, at('01:30'))).toBe('otherVersion')
  expect(hindranceOf({ ...waiting, version: null }, plan, at('01:30'))).toBe('versionUnknown')
  const first = { ...waiting, version: null, mayBeFirst: true }
  expect(hindranceOf({ ...first, fromVersions: null }, plan, at('01:30'))).toBeNull()
  expect(hindranceOf(first, plan, at('01:30'))).toBe('otherVersion')
  expect(hindranceOf({ ...waiting, isElsewhere: true }, plan, at('01:30'))).toBe('otherRollout')
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
    ...{ kind: 'go', cohort: 1, room: 1 },
  })
  for (const state of ['draft', 'halted', 'ended'] as const)
    expect(decide(plan, { state, direction: 'forward', cohort: 1 }, later)).toEqual({ kind: 'nothing' })
})

test('all machines go back at once, and limits do not stop them', () => {
  const back = { state: 'running', direction: 'back', cohort: 1 } as const
  expect(decide(plan, back, many({ waiting: 31, failed: 3 }))).toEqual({ kind: 'go', cohort: 1, room: 31 })
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

test('a window in the skipped hour opens, and one in the repeated hour includes both', () => {
  const night = { from: '02:15', to: '02:45' }
  const spring = new Date('2027-03-28T01:20Z')
  expect(isOpenAt(night, 'Europe/Rome', spring)).toBe(true)
  for (const time of ['2026-10-25T00:20Z', '2026-10-25T01:20Z'])
    expect(isOpenAt(night, 'Europe/Rome', new Date(time))).toBe(true)
})

test('the next steps name the window, the health check and the cohort after it', () => {
  const facts = { timeZone: 'Europe/Rome', watchedUntil: at('03:30'), ready: 2 }
  const first = { state: 'running', direction: 'forward', cohort: 0 } as const
  expect(nextSteps(plan, first, many({ waiting: 3 }), facts, at('12:00'))).toEqual([
    { step: 'window', machines: 1, at: new Date('2026-11-25T01:00Z') },
    { step: 'nextCohort', machines: 2, at: null },
  ])
  expect(nextSteps(plan, first, many({ waiting: 2, watching: 1 }), facts, at('03:00'))[0]).toEqual({
    ...{ step: 'health', machines: 1, at: at('03:30') },
  })
  expect(
    nextSteps(plan, { ...first, state: 'halted' }, many({ waiting: 2, failed: 1 }), facts, at('03:00'))[0]?.step,
  ).toBe('decide')
})
