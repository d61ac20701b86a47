import fc from 'fast-check'
import { expect, test } from 'vitest'
import { badStates, type RolloutMachineState, type RolloutReason } from '#contract/updates/rollout-state.ts'
import { allowedOf, decide, membersOf, type Rollout, type RolloutPlan, sizeOf, startedOf } from './rollout.ts'
import { hindranceOf, type MachineInFlight, outcomeOf, type WaitingMachine } from './rollout-machine.ts'
import { tallyOf } from './rollout-tally.ts'

/** A machine of a rollout, with all that decides about it. */
interface RolloutMember {
  id: string
  state: RolloutMachineState
  reason: RolloutReason | null
  isAccepted: boolean
  flight: Omit<MachineInFlight, 'state'>
  waiting: WaitingMachine
}

/** The whole of one minute: outcomes of the machines, then the decision, then the machines that start, in their order. */
function stepOf(plan: RolloutPlan, rollout: Rollout, machines: readonly RolloutMember[], now: Date) {
  const outcomes = new Map(
    machines.flatMap(({ id, state, flight }) => {
      const outcome = state === 'sent' || state === 'watching' ? outcomeOf({ ...flight, state }, plan, now) : null
      return outcome ? [[id, outcome] as const] : []
    }),
  )
  const after = machines.map((machine) => ({ ...machine, ...outcomes.get(machine.id) }))
  const decision = decide(plan, rollout, tallyOf(after))
  const starts =
    decision.kind === 'go'
      ? after
          .filter((machine) => machine.state === 'waiting' && !hindranceOf(machine.waiting, plan, now))
          .slice(0, decision.room)
          .map(({ id }) => id)
      : []
  return { outcomes, decision, starts }
}

const minute = 60_000
const start = Date.UTC(2026, 10, 24, 1)

type Fate = 'good' | 'error' | 'oldVersion' | 'silent' | 'silentLater' | 'alarms' | 'fallsBack' | 'never'

/** A machine that does what its fate says, some minutes after its command. */
interface SimulatedMachine extends RolloutMember {
  fate: Fate
  delay: number
  startedAt: number | null
}

const plan = (with_: Partial<RolloutPlan> = {}): RolloutPlan => ({
  cohorts: [
    { by: 'machines', size: 1 },
    { by: 'percent', size: 5 },
    { by: 'percent', size: 25 },
    { by: 'percent', size: 100 },
  ],
  ...{ goodPercent: 95, healthMinutes: 10, silentMinutes: 15, failedPercent: 2, silentPercent: 2, alarmedPercent: 2 },
  installWindow: null,
  ...with_,
})

const machineOf = (id: number, fate: Fate, delay: number): SimulatedMachine => ({
  id: String(id),
  fate,
  delay,
  startedAt: null,
  state: 'waiting',
  reason: null,
  isAccepted: false,
  flight: {
    ...{ toVersion: '2', version: '1', isOnline: true, lastSeenAt: new Date(start), versionAt: new Date(start) },
    ...{ command: null, watchUntil: null, alarmsAfter: 0, alarmsBefore: 0 },
  },
  waiting: {
    ...{
      version: '1',
      isOnline: true,
      timeZone: 'Europe/Rome',
      fromVersions: null,
      isElsewhere: false,
      mayBeFirst: false,
    },
    hasCommand: false,
  },
})

const running = { status: 1, result: null, info: null, startedAt: null, executedAt: null }
const ok = { status: 2, result: 0 }

/** What the machine reports until an instant. */
function live(machine: SimulatedMachine, now: number): void {
  const { flight, fate } = machine
  if (machine.startedAt === null) return
  const go = machine.startedAt + machine.delay * minute
  const installed = go + machine.delay * minute
  const isGone = (fate === 'silent' && now >= go) || (fate === 'silentLater' && now >= installed + 2 * minute)
  flight.isOnline = !isGone
  if (!isGone) flight.lastSeenAt = new Date(now)
  if (fate === 'never' || now < go) return
  const startedAt = new Date(go)
  flight.command = { ...running, startedAt }
  if (fate === 'silent' || now < installed) return
  const executedAt = new Date(installed)
  flight.command = { ...running, startedAt, executedAt, ...(fate === 'error' ? { status: 5, result: 2 } : ok) }
  if (fate === 'error') return
  flight.versionAt = new Date(installed + 1)
  flight.version = fate === 'oldVersion' || (fate === 'fallsBack' && now >= installed + 3 * minute) ? '1' : '2'
  if (fate === 'alarms' && now >= installed + 2 * minute) flight.alarmsAfter = 1
}

interface World {
  rollout: Rollout
  machines: SimulatedMachine[]
  haltedAt: number | null
}

/** One minute: reports arrive, the rollout decides, and its decision is carried out. */
function pass(world: World, rules: RolloutPlan, now: number): string[] {
  for (const machine of world.machines) live(machine, now)
  const { outcomes, decision, starts } = stepOf(rules, world.rollout, world.machines, new Date(now))
  const byId = new Map(world.machines.map((machine) => [machine.id, machine]))
  for (const [id, outcome] of outcomes) {
    const machine = byId.get(id) as SimulatedMachine
    if (outcome.state === 'watching') machine.flight.watchUntil = new Date(now + rules.healthMinutes * minute)
    Object.assign(machine, outcome)
  }
  if (decision.kind === 'halt') {
    world.rollout.state = 'halted'
    world.haltedAt ??= now
  }
  if (decision.kind === 'go') world.rollout.cohort = decision.cohort
  if (decision.kind === 'complete') world.rollout.state = 'complete'
  for (const id of starts) {
    const machine = byId.get(id) as SimulatedMachine
    machine.state = 'sent'
    machine.startedAt = now
    machine.flight.command = { ...running }
  }
  return starts
}

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
      ...{ goodPercent: good, failedPercent: limit, silentPercent: limit, alarmedPercent: limit },
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
        const world: World = {
          rollout: { state: 'running', direction: 'forward', cohort: 0 },
          machines,
          haltedAt: null,
        }
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
        const world: World = {
          rollout: { state: 'running', direction: 'forward', cohort: 2 },
          machines: order(machines),
          haltedAt: null,
        }
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

test('of 2,000 machines 3 percent are bad: the rollout halts in the 5 percent cohort', () => {
  // Spread evenly: every 33rd machine falls silent or stays with the old version.
  const machines = Array.from({ length: 2_000 }, (_, at) =>
    machineOf(at, at % 33 === 16 ? (at % 2 === 0 ? 'silent' : 'oldVersion') : 'good', 1 + (at % 7)),
  )
  const rules = plan({ failedPercent: 1, silentPercent: 1 })
  const world: World = { rollout: { state: 'running', direction: 'forward', cohort: 0 }, machines, haltedAt: null }
  for (let passed = 1; passed < 240; passed++) pass(world, rules, start + passed * minute)
  expect(world.rollout).toMatchObject({ state: 'halted', cohort: 1 })
  expect(startedOf(tallyOf(machines))).toBe(100)
})

test('of 2,000 good machines all are updated', () => {
  const machines = Array.from({ length: 2_000 }, (_, at) => machineOf(at, 'good', 1 + (at % 7)))
  const world: World = { rollout: { state: 'running', direction: 'forward', cohort: 0 }, machines, haltedAt: null }
  for (let passed = 1; passed < 240; passed++) pass(world, plan(), start + passed * minute)
  expect(world.rollout.state).toBe('complete')
  expect(tallyOf(machines).confirmed).toBe(2_000)
})
