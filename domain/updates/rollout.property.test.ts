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
} from '#testkit/nouns/rollout-simulation.ts'
import { downgradeOf } from './downgrade.ts'
import { noticeRecipients } from './halt-notice.ts'
import { allowedOf, membersOf, sizeOf, startedOf } from './rollout.ts'
import { tallyOf } from './rollout-tally.ts'

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
          const wrongly = machines.filter(
            ({ state, fate }) =>
              state === 'confirmed' && !['good', 'alarms', 'silentLater', 'fallsBack'].includes(fate),
          )
          expect(wrongly).toEqual([])
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

/** Places and days on which the clocks change, each with windows that the change concerns. */
const clockChanges = {
  'overnight windows, on the day after': {
    days: [
      ['Europe/Rome', '2027-03-29'],
      ['Europe/Rome', '2026-10-26'],
      ['America/New_York', '2027-03-15'],
      ['America/Santiago', '2026-09-07'],
    ],
    hours: [21, 22, 23, 24, 25, 26, 27, 28, 29],
  },
  'a skipped hour': {
    days: [
      ['Europe/Rome', '2027-03-28'],
      ['America/New_York', '2027-03-14'],
      ['America/Santiago', '2026-09-06'],
    ],
    hours: [23, 0, 1, 2, 3, 4],
  },
  'a repeated hour': {
    days: [
      ['Europe/Rome', '2026-10-25'],
      ['America/New_York', '2026-11-01'],
      ['America/Santiago', '2027-04-04'],
    ],
    hours: [22, 23, 0, 1, 2, 3, 4],
  },
  'half an hour on Lord Howe': {
    days: [
      ['Australia/Lord_Howe', '2026-10-04'],
      ['Australia/Lord_Howe', '2027-04-04'],
    ],
    hours: [0, 1, 2, 3],
  },
} satisfies Record<string, { days: [string, string][]; hours: number[] }>

const nights = ({ days, hours }: (typeof clockChanges)[keyof typeof clockChanges]) => {
  const time = fc
    .tuple(fc.constantFrom(...hours), fc.constantFrom('00', '15', '30', '45'))
    .map(([hour, part]) => `${String(hour % 24).padStart(2, '0')}:${part}`)
  return fc
    .record({
      day: fc.constantFrom(...days),
      from: time,
      to: time,
      usualMinutes: fc.integer({ min: 1, max: 90 }),
    })
    .filter(({ from, to }) => from !== to)
    .map(({ day: [timeZone, day], from, to, usualMinutes }) => ({
      place: { timeZone, usualMinutes },
      noon: Date.parse(`${day}T12:00Z`),
      window: { from, to },
    }))
}

/** What a wall clock of the zone shows each quarter of an hour around an instant: `2027-03-28 03:15`. */
const clocks = new Map<string, { at: number; shows: string }[]>()
function clockOf(timeZone: string, noon: number) {
  const key = `${timeZone} ${noon}`
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const instants = Array.from({ length: 7 * 24 * 4 }, (_, passed) => noon + (passed * 15 - 84 * 60) * minute)
  const clock = clocks.get(key) ?? instants.map((at) => ({ at, shows: format.format(at) }))
  clocks.set(key, clock)
  return clock
}

/** The windows by the wall clock alone, one for each local day. */
function windowsByClock(clock: readonly { at: number; shows: string }[], { from, to }: { from: string; to: string }) {
  const naive = (clockText: string) => Date.parse(`${clockText.replace(' ', 'T')}Z`)
  /** When the clock shows a time; a skipped one as long after the last one shown as if the clock had not jumped. Clocks change on a quarter. */
  const instantsOf = (clockText: string) => {
    const instants = clock.flatMap(({ at, shows }) => (shows === clockText ? [at] : []))
    const before = clock.findLast(({ shows }) => shows < clockText)
    return instants.length > 0 || !before ? instants : [before.at + naive(clockText) - naive(before.shows)]
  }
  const days = [...new Set(clock.map(({ shows }) => shows.slice(0, 10)))].slice(1, -2)
  return days.map((day) => {
    const next = new Date(Date.parse(`${day}T00:00Z`) + 24 * 60 * minute).toISOString().slice(0, 10)
    const begins = `${day} ${from}`
    const ends = `${to > from ? day : next} ${to}`
    const opens = instantsOf(begins)[0] as number
    const closes = instantsOf(ends).at(-1) as number
    return { opens, closes: closes > opens ? closes : opens + naive(ends) - naive(begins) }
  })
}

test.each(Object.entries(clockChanges))(
  'machines start exactly while their window is open by the wall clock, with the usual time of the update left: %s',
  (_, change) => {
    fc.assert(
      fc.property(nights(change), ({ place, noon, window }) => {
        const open = windowsByClock(clockOf(place.timeZone, noon), window)
        const rules = plan({ installWindow: window, cohorts: [{ by: 'percent', size: 100 }] })
        const wrong: string[] = []
        for (let now = noon - 36 * 60 * minute; now < noon + 36 * 60 * minute; now += 5 * minute) {
          // A machine that has just joined.
          const starts = pass(aWorld([machineOf(0, 'good', 1)], 0, place), rules, now)
          const mayStart = open.some(({ opens, closes }) => {
            const needed = Math.min(place.usualMinutes * minute, (closes - opens) / 2)
            return opens <= now && closes - now >= needed
          })
          if (starts.length > 0 !== mayStart) wrong.push(new Date(now).toISOString())
        }
        expect(wrong).toEqual([])
      }),
      { numRuns: 8 },
    )
  },
)

test.each(Object.entries(clockChanges))(
  'a window that closes while a file loads is no failure, and every machine gets the version in a later one: %s',
  (_, change) => {
    let cutShort = 0
    const [[timeZone, day]] = change.days as [[string, string]]
    const place = { timeZone, usualMinutes: 1 }
    const noon = Date.parse(`${day}T12:00Z`)
    const window = { from: '01:00', to: '02:00' }
    const slow = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(nights(change), slow, ({ place, noon, window }, delays) => {
        const machines = delays.map((delay, at) => machineOf(at, 'good', delay))
        const world = aWorld(machines, 0, place)
        const bad = new Set<string>()
        const rules = plan({ installWindow: window, cohorts: [{ by: 'percent', size: 100 }] })
        for (let now = noon - 36 * 60 * minute; now < noon + 36 * 60 * minute; now += 4 * minute) {
          pass(world, rules, now)
          for (const machine of machines) {
            if (badStates.includes(machine.state as 'failed')) bad.add(machine.id)
            if (machine.state !== 'waiting' || machine.reason !== 'windowOver') continue
            cutShort++
            // The next attempt loads the rest of the file.
            machine.delay = Math.max(1, machine.delay >> 1)
          }
        }
        expect(bad).toEqual(new Set())
        expect(world.rollout.state).toBe('complete')
        expect(tallyIn(world).confirmed).toBe(machines.length)
      }),
      // The example loads longer than its window, so that at least one file is cut short.
      { numRuns: 8, examples: [[{ place, noon, window }, [80]]] },
    )
    expect(cutShort).toBeGreaterThan(0)
  },
)

/** Something that decides whether a waiting machine may start changes at a machine. */
const turns = fc.record({
  machine: fc.nat(11),
  fact: fc.oneof(
    fc.record({ isTarget: fc.boolean() }),
    fc.record({ isElsewhere: fc.boolean() }),
    fc.record({ hasCommand: fc.boolean() }),
    fc.record({ isOnline: fc.boolean() }),
    fc.record({ version: fc.constantFrom('1', '1.5', '2', '3', null) }),
  ),
})

test('only machines that may start do: targets of the type, within reach, from an allowed version, never back to an older one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.record({ fromVersions: fc.constantFrom(null, ['1'], ['1', '3']), allowDowngrade: fc.boolean() }),
      fc.array(fc.array(turns, { maxLength: 4 }), { minLength: 5, maxLength: 12 }),
      plans,
      (count, allowed, minutes, rules) => {
        const machines = Array.from({ length: count }, (_, at) => machineOf(at, 'good', 1))
        for (const { waiting } of machines) Object.assign(waiting, allowed)
        const world = aWorld(machines)
        let now = start
        for (const turnsOfMinute of minutes) {
          for (const { machine: at, fact } of turnsOfMinute) {
            const { state, flight, waiting } = machines[at % count] as SimulatedMachine
            if (state === 'waiting') Object.assign('version' in fact || 'isOnline' in fact ? flight : waiting, fact)
          }
          for (const id of pass(world, rules, (now += minute))) {
            const { flight, waiting } = machines.find((machine) => machine.id === id) as SimulatedMachine
            const { version } = flight
            expect([waiting.isTarget, waiting.isElsewhere, waiting.hasCommand, flight.isOnline]).toEqual([
              true,
              false,
              false,
              true,
            ])
            expect(version).not.toBe('2')
            if (allowed.fromVersions) expect(allowed.fromVersions).toContain(version)
            else expect(version).not.toBeNull()
            if (version === '3') expect(allowed.allowDowngrade).toBe(true)
          }
        }
        // Once nothing holds them, all that may start do.
        for (const { state, flight, waiting } of machines) {
          if (state !== 'waiting') continue
          Object.assign(waiting, { isTarget: true, isElsewhere: false, hasCommand: false })
          Object.assign(flight, { isOnline: true, version: '1' })
        }
        for (let passed = 0; passed < 300; passed++) pass(world, rules, (now += minute))
        expect([world.rollout.state, tallyIn(world).waiting]).toEqual(['complete', 0])
      },
    ),
    { numRuns: 100 },
  )
})

const people = fc.array(fc.record({ id: fc.integer({ min: 0, max: 30 }).map(String), isAsking: fc.boolean() }), {
  maxLength: 8,
})
const someone = fc.option(fc.integer({ min: 0, max: 30 }).map(String))

test('a halt has a reader: users with notifications and the user who started it get one mail, all others only without such users, the user who halted it never', () => {
  fc.assert(
    fc.property(
      people.map((all) => [...new Map(all.map((one) => [one.id, one])).values()]),
      someone,
      someone,
      (deciders, startedBy, haltedBy) => {
        const mailed = noticeRecipients(deciders, { startedBy, haltedBy }).map(({ id }) => id)
        expect(new Set(mailed).size).toBe(mailed.length)
        expect(mailed).not.toContain(haltedBy)
        const others = deciders.filter(({ id }) => id !== haltedBy)
        expect(mailed.length > 0).toBe(others.length > 0)
        const isWanted = ({ id, isAsking }: (typeof others)[number]) => isAsking || id === startedBy
        const recipients = others.some(isWanted) ? others.filter(isWanted) : others
        expect(mailed.toSorted()).toEqual(recipients.map(({ id }) => id).toSorted())
      },
    ),
    { numRuns: 300 },
  )
})

const releases = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12))

test('an update is a downgrade exactly for the machines with a higher number, in whatever part of the version', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(releases, fc.integer({ min: 1, max: 9 })), { maxLength: 6 }),
      releases,
      (running, to) => {
        const isNewer = ([release]: (typeof running)[number]) => {
          const at = release.findIndex((part, place) => part !== to[place])
          return at >= 0 && (release[at] as number) > (to[at] as number)
        }
        const downgrade = downgradeOf(
          running.map(([release, machines]) => ({ version: release.join('.'), machines })),
          to.join('.'),
        )
        const newer = running.filter(isNewer)
        expect(downgrade?.machines ?? 0).toBe(newer.reduce((sum, [, machines]) => sum + machines, 0))
        expect(new Set(downgrade?.versions)).toEqual(new Set(newer.map(([release]) => release.join('.'))))
      },
    ),
    { numRuns: 300 },
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
