import fc from 'fast-check'
import { expect, test } from 'vitest'
import { badStates } from '#contract/updates/rollout-state.ts'
import {
  act,
  aWorld,
  type Fate,
  machineOf,
  minute,
  pass,
  plan,
  type SimulatedMachine,
  start,
  tallyIn,
  timeZone,
  usualMinutes,
} from '#testkit/rollout-simulation.ts'
import { allowedOf, membersOf, sizeOf, startedOf } from './rollout.ts'
import { tallyOf } from './rollout-tally.ts'
import { windowAt } from './rollout-window.ts'

const fates = fc.constantFrom<Fate>('error', 'oldVersion', 'silent', 'silentLater', 'alarms', 'fallsBack', 'never')
const fleets = fc.array(
  fc.tuple(fc.oneof({ weight: 8, arbitrary: fc.constant<Fate>('good') }, { weight: 1, arbitrary: fates }), fc.nat(9)),
  { minLength: 1, maxLength: 60 },
)
const plans = fc
  .record({
    first: fc.integer({ min: 1, max: 3 }),
    share: fc.integer({ min: 1, max: 60 }),
    limit: fc.nat(10),
    good: fc.integer({ min: 80, max: 100 }),
  })
  .map(({ first, share, limit, good }) =>
    plan({
      cohorts: [
        { by: 'machines', size: first },
        { by: 'percent', size: share },
        { by: 'percent', size: 100 },
      ],
      goodPercent: good,
      failedPercent: limit,
      silentPercent: limit,
      alarmedPercent: limit,
    }),
  )

test('no more machines start than the cohort has, a passed limit halts, and nothing starts afterwards', () => {
  fc.assert(
    fc.property(
      fleets,
      plans,
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 40, maxLength: 60 }),
      (fleet, rules, gaps) => {
        const machines = fleet.map(([fate, delay], at) => machineOf(at, fate, delay))
        const world = aWorld(machines)
        let now = start
        for (const gap of gaps) {
          now += gap * minute
          const wasHalted = world.haltedAt !== null
          const starts = pass(world, rules, now)
          const tally = tallyOf(machines)
          const size = sizeOf(rules.cohorts[world.rollout.cohort] ?? { by: 'percent', size: 100 }, membersOf(tally))
          expect(startedOf(tally)).toBeLessThanOrEqual(size)
          if (wasHalted) expect(starts).toEqual([])
          const isBeyond = badStates.some((state) => tally[state] > allowedOf(rules, state, size))
          if (isBeyond) expect(world.rollout.state).toBe('halted')
          for (const machine of machines)
            if (machine.state === 'confirmed')
              expect(['good', 'alarms', 'silentLater', 'fallsBack']).toContain(machine.fate)
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('the counts decide the same in whatever order machines are read', () => {
  fc.assert(
    fc.property(fleets, plans, fc.integer(), (fleet, rules, seed) => {
      const run = (order: (all: SimulatedMachine[]) => SimulatedMachine[]) => {
        const machines = fleet.map(([fate, delay], at) => ({
          ...machineOf(at, fate, delay),
          state: 'sent' as const,
          startedAt: start,
        }))
        const world = aWorld(order(machines), 2)
        for (let passed = 1; passed < 60; passed++) pass(world, rules, start + passed * minute)
        return [world.rollout.state, world.haltedAt, tallyOf(world.machines)]
      }
      const mixed = (all: SimulatedMachine[]) =>
        all.toSorted((one, other) => ((Number(one.id) * 31 + seed) % 17) - ((Number(other.id) * 31 + seed) % 17))
      expect(run(mixed)).toEqual(run((all) => all))
    }),
    { numRuns: 50 },
  )
})

const commands = fc.array(fc.constantFrom('resume' as const, 'retry' as const), { maxLength: 4 })
const badFleets = fc.array(
  fc.tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constant<Fate>('good') }, { weight: 1, arbitrary: fates }),
    fc.integer({ min: 1, max: 9 }),
    fc.oneof(
      { weight: 8, arbitrary: fc.constant<Fate>('good') },
      { weight: 1, arbitrary: fc.constantFrom<Fate>('error', 'oldVersion', 'alarms') },
    ),
  ),
  { minLength: 1, maxLength: 40 },
)

test('retried machines stay members, and the way back brings every machine that ever ran the version back to its version before', () => {
  fc.assert(
    fc.property(badFleets, plans, commands, fc.integer({ min: 5, max: 120 }), (fleet, rules, decisions, turnsAt) => {
      const machines = fleet.map(([fate, delay, backFate], at) => machineOf(at, fate, delay, backFate))
      const world = aWorld(machines)
      const left = [...decisions]
      for (let passed = 1; passed < 900 && world.rollout.state !== 'ended'; passed++) {
        const now = start + passed * minute
        if (passed === turnsAt) act(world, 'back', rules, now)
        else if (world.rollout.state === 'halted') {
          const before = membersOf(tallyIn(world))
          act(world, world.rollout.direction === 'back' ? 'retry' : (left.shift() ?? 'back'), rules, now)
          if (world.rollout.direction === 'forward') expect(membersOf(tallyIn(world))).toBe(before)
        }
        const wasHalted = world.rollout.state === 'halted'
        const starts = pass(world, rules, now)
        if (wasHalted) expect(starts).toEqual([])
        // The way back has the cohorts and limits of the way forward.
        const tally = tallyIn(world)
        const size = sizeOf(rules.cohorts[world.rollout.cohort] ?? { by: 'percent', size: 100 }, membersOf(tally))
        if (starts.length > 0) expect(startedOf(tally)).toBeLessThanOrEqual(size)
        if (badStates.some((state) => tally[state] > allowedOf(rules, state, size)))
          expect(['halted', 'ended']).toContain(world.rollout.state)
      }
      expect(world.rollout).toMatchObject({ state: 'ended', direction: 'back' })
      for (const { id, hasRun, flight, state, direction } of machines) {
        if (hasRun) expect([id, direction]).toEqual([id, 'back'])
        if (hasRun && (state === 'confirmed' || state === 'current')) expect([id, flight.version]).toEqual([id, '1'])
      }
    }),
    { numRuns: 120 },
  )
})

test('of 30 machines that got the version, 2 of which were retried, 30 return', () => {
  const machines = Array.from({ length: 30 }, (_, at) => machineOf(at, at < 2 ? 'alarms' : 'good', 2))
  const rules = plan({ cohorts: [{ by: 'percent', size: 100 }], alarmedPercent: 5 })
  const world = aWorld(machines)
  let now = start
  for (let passed = 1; passed < 10; passed++) pass(world, rules, (now += minute))
  expect(world.rollout.state).toBe('halted')
  act(world, 'retry', rules, now)
  expect(membersOf(tallyIn(world))).toBe(30)
  act(world, 'back', rules, now)
  for (let passed = 1; passed < 60; passed++) pass(world, rules, (now += minute))
  expect(world.rollout.state).toBe('ended')
  expect(tallyIn(world)).toMatchObject({ confirmed: 30 })
  expect(machines.filter(({ flight }) => flight.version === '1')).toHaveLength(30)
})

test('nothing starts outside the window or without its usual time left, and a window that closes while a file loads is no failure', () => {
  const times = fc.record({
    from: fc.constantFrom('02:00', '02:30', '23:00'),
    to: fc.constantFrom('03:00', '03:30', '04:15'),
  })
  const slow = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(times, slow, plans, (installWindow, delays, rules) => {
      const machines = delays.map((delay, at) => machineOf(at, 'good', delay))
      const world = aWorld(machines)
      const within = { ...rules, installWindow, cohorts: [{ by: 'percent' as const, size: 100 }] }
      for (let passed = -120; passed < 36 * 60; passed += 3) {
        const now = new Date(start + passed * minute)
        const starts = pass(world, within, now.getTime())
        if (starts.length > 0) {
          const open = windowAt(installWindow, timeZone, now)
          expect(open?.opensAt.getTime()).toBeLessThanOrEqual(now.getTime())
          expect(open && open.closesAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(usualMinutes * minute)
        }
        expect(tallyIn(world)).toMatchObject({ failed: 0, silent: 0, alarmed: 0 })
      }
      expect(world.rollout.state).not.toBe('halted')
    }),
    { numRuns: 40 },
  )
})

test('of 2,000 machines 3 percent are bad: the rollout halts in the 5 percent cohort', () => {
  // Spread evenly: every 33rd machine falls silent or stays with the old version.
  const machines = Array.from({ length: 2_000 }, (_, at) =>
    machineOf(at, at % 33 === 16 ? (at % 2 === 0 ? 'silent' : 'oldVersion') : 'good', 1 + (at % 7)),
  )
  const rules = plan({ failedPercent: 1, silentPercent: 1 })
  const world = aWorld(machines)
  for (let passed = 1; passed < 240; passed++) pass(world, rules, start + passed * minute)
  expect(world.rollout).toMatchObject({ state: 'halted', cohort: 1 })
  expect(startedOf(tallyOf(machines))).toBe(100)
})

test('of 2,000 good machines all are updated', () => {
  const machines = Array.from({ length: 2_000 }, (_, at) => machineOf(at, 'good', 1 + (at % 7)))
  const world = aWorld(machines)
  for (let passed = 1; passed < 240; passed++) pass(world, plan(), start + passed * minute)
  expect(world.rollout.state).toBe('complete')
  expect(tallyOf(machines).confirmed).toBe(2_000)
})
