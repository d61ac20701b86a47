import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PlanRoute } from './week-calendar.ts'
import type { PlanMachine } from './week-candidate.ts'
import { lookAhead, type NeedSelection } from './week-need.ts'
import { type PlanOptions, planWeek } from './week-plan.ts'

/** A Monday. */
const firstDay = '2026-11-30'
const options: PlanOptions = { firstDay, isToday: false, vanPieces: null }
const selling = (level: number, perDay: number, with_: Partial<NeedSelection> = {}): NeedSelection => ({
  level,
  sold: Array(lookAhead).fill(perDay),
  target: 20,
  price: 100,
  holdsPieces: true,
  losesSales: true,
  ...with_,
})
const aRoute = (with_: Partial<PlanRoute> = {}): PlanRoute => ({
  id: 'north',
  days: [1, 3, 5],
  mostStops: 20,
  planned: [],
  places: [{ latitude: 45, longitude: 9 }],
  ...with_,
})
const aMachine = (id: string, with_: Partial<PlanMachine> = {}): PlanMachine => ({
  id,
  place: null,
  services: [{ routeId: 'north', days: [] }],
  planned: [],
  selections: [selling(20, 0)],
  unforeseen: null,
  cash: null,
  ...with_,
})
/** A machine whose only selection sells a piece a day and is empty on a day. */
const emptyOn = (id: string, day: number, with_: Partial<PlanMachine> = {}) =>
  aMachine(id, { selections: [selling(day + 1, 1)], ...with_ })
const daysOf = (machines: readonly PlanMachine[], routes = [aRoute()], more: Partial<PlanOptions> = {}) =>
  planWeek(routes, machines, { ...options, ...more }).visits.map(({ machineId, day }) => [machineId, day])

describe('a machine is visited', () => {
  test('on the last service day that is not after the day on which a selection is empty', () => {
    expect(daysOf([emptyOn('a', 0), emptyOn('b', 1), emptyOn('c', 2), emptyOn('d', 6)])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 2],
      ['d', 4],
    ])
  })

  test('on the first service day where it is empty before, and not while the next service of the week after is in time', () => {
    expect(daysOf([emptyOn('a', 0), emptyOn('b', 7)], [aRoute({ days: [3] })])).toEqual([
      ['a', 2],
      ['b', 2],
    ])
    expect(daysOf([emptyOn('a', 9)], [aRoute({ days: [3] })])).toEqual([])
  })

  test('when its cash box is full, and that is a reason of its own', () => {
    const cash = { inBox: 800, capacity: 1000, perDay: 25 }
    const { visits } = planWeek([aRoute()], [aMachine('a', { cash })], options)
    // 900 at the end of the fourth day: the Wednesday is the last service before.
    expect(visits).toMatchObject([{ day: 2, cashFullOn: 3, emptyOn: null, skipCost: 0, pieces: 0 }])
  })

  test('on each day that is promised to it alone, whatever it needs, and on no other', () => {
    const services = [{ routeId: 'north', days: [1, 5, 6] }]
    const plan = planWeek([aRoute()], [emptyOn('a', 1, { services })], options)
    expect(plan.visits.map(({ day, isPromised, emptyOn: empty }) => [day, isPromised, empty])).toEqual([
      [0, true, 1],
      [4, true, null],
    ])
  })

  test('again in the same week when it sells more than it holds', () => {
    expect(daysOf([aMachine('a', { selections: [selling(2, 9)] })])).toEqual([
      ['a', 0],
      ['a', 2],
      ['a', 4],
    ])
  })

  test('by no plan before a round that visits it already, and on none of that round’s day', () => {
    expect(daysOf([emptyOn('a', 3, { planned: [2] })])).toEqual([])
    expect(daysOf([emptyOn('a', 1, { planned: [2] })])).toEqual([['a', 0]])
    expect(daysOf([emptyOn('a', 2)], [aRoute({ planned: [2] })])).toEqual([['a', 0]])
  })

  test('by the nearest route with a fitting day when it is on none, and by none that is too far', () => {
    const routes = [
      aRoute({ places: [{ latitude: 45, longitude: 9 }] }),
      aRoute({ id: 'south', days: [2], places: [{ latitude: 45.03, longitude: 9 }] }),
      aRoute({ id: 'far', days: [4], places: [{ latitude: 46, longitude: 9 }] }),
    ]
    const at = (id: string, day: number, latitude: number) =>
      emptyOn(id, day, { services: [], place: { latitude, longitude: 9 } })
    const { visits, left } = planWeek(routes, [at('a', 0, 45.01), at('b', 1, 45.01), at('c', 1, 40)], options)
    expect(
      visits.map(({ machineId, routeId, day, km }) => [machineId, routeId, day, Math.round((km ?? 0) * 10)]),
    ).toEqual([
      ['a', 'north', 0, 11],
      ['b', 'south', 1, 22],
    ])
    expect(left).toMatchObject([{ machineId: 'c', why: 'noRoute', emptyOn: 1, lost: 500 }])
  })
})

describe('a stop', () => {
  test('costs what is lost until the next possible service when it is skipped', () => {
    // Empty in the course of Monday: half a piece is lost on that day, and a whole one on Tuesday.
    const machine = aMachine('a', { selections: [selling(0.5, 1)] })
    const { visits } = planWeek([aRoute()], [machine], options)
    expect(visits[0]).toMatchObject({ day: 0, skipCost: 150, lostPerDay: 75, pieces: 20 })
  })

  test('loads what is missing on the morning of its day, and no more than the van has', () => {
    const machine = aMachine('a', { selections: [selling(4, 1)] })
    expect(planWeek([aRoute()], [machine], options).visits).toMatchObject([{ day: 2, pieces: 18 }])
    expect(planWeek([aRoute()], [machine], { ...options, vanPieces: 5 }).visits[0]).toMatchObject({ day: 2, pieces: 5 })
  })
})

describe('a day with more machines than its limit', () => {
  test('has others brought forward, the first need first', () => {
    const machines = [emptyOn('a', 3), emptyOn('b', 2), emptyOn('c', 3), emptyOn('d', 5)]
    const { visits } = planWeek([aRoute({ mostStops: 2 })], machines, options)
    expect(visits.map(({ machineId, day, isEarly }) => [machineId, day, isEarly])).toEqual([
      ['b', 0, true],
      ['a', 2, false],
      ['c', 2, false],
      ['d', 4, false],
    ])
  })

  test('serves the greatest losses; other machines wait, or are left out', () => {
    const losing = (id: string, price: number) => aMachine(id, { selections: [selling(0, 1, { price })] })
    const { visits, left } = planWeek(
      [aRoute({ mostStops: 1 })],
      ['a', 'b', 'c', 'd'].map((id, at) => losing(id, at + 1)),
      options,
    )
    expect(visits.map(({ machineId, day }) => [machineId, day])).toEqual([
      ['d', 0],
      ['c', 2],
      ['b', 4],
    ])
    expect(left).toEqual([{ machineId: 'a', why: 'noRoom', emptyOn: 0, cashFullOn: null, lost: 7 }])
  })
})

const weekdays = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 })
const somePlace = fc.record({
  latitude: fc.double({ min: 45, max: 45.4, noNaN: true }),
  longitude: fc.double({ min: 9, max: 9.2, noNaN: true }),
})
const someRoutes = fc
  .array(
    fc.record({
      days: weekdays.filter((days) => days.length > 0),
      mostStops: fc.integer({ min: 1, max: 3 }),
      planned: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
      places: fc.array(somePlace, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  )
  .map((routes) => routes.map((route, at): PlanRoute => ({ id: `route ${at}`, ...route })))
const someSelection = fc.record({
  level: fc.nat(12),
  sold: fc.array(fc.constantFrom(0, 0.4, 1, 2.5), { minLength: lookAhead, maxLength: lookAhead }),
  target: fc.option(fc.integer({ min: 5, max: 12 })),
  price: fc.option(fc.integer({ min: 1, max: 300 })),
  holdsPieces: fc.boolean(),
  losesSales: fc.constant(true),
})
const someMachines = fc
  .array(
    fc.record({
      place: fc.option(somePlace),
      services: fc.uniqueArray(
        fc.record({ route: fc.nat(2), days: fc.oneof(fc.constant([]), weekdays), isClosed: fc.boolean() }),
        { maxLength: 2, selector: ({ route }) => route },
      ),
      planned: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.nat(6).map((day) => [day]) },
      ),
      selections: fc.array(someSelection, { maxLength: 2 }),
      unforeseen: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.record({ lostPerDay: fc.nat(200) }) },
      ),
      cash: fc.option(fc.record({ inBox: fc.nat(1000), capacity: fc.constantFrom(0, 1000), perDay: fc.nat(100) })),
    }),
    { maxLength: 12 },
  )
  .map((machines) =>
    machines.map(
      ({ services, ...machine }, at): PlanMachine => ({
        id: `machine ${String(at).padStart(2, '0')}`,
        ...machine,
        services: services.map(({ route, ...service }) => ({ routeId: `route ${route}`, ...service })),
      }),
    ),
  )
const someOptions = fc.record({
  firstDay: fc.constantFrom('2026-11-30', '2026-12-02', '2026-12-06'),
  isToday: fc.boolean(),
  vanPieces: fc.option(fc.integer({ min: 1, max: 40 })),
})
const weekdayOf = (first: string, day: number) => ((new Date(`${first}T12:00:00Z`).getUTCDay() + 6 + day) % 7) + 1
const runs = { numRuns: 100 }

describe('whatever the routes, machines and limits', () => {
  test('no machine is visited twice on a day, or on a day on which its route or itself is not served', () => {
    fc.assert(
      fc.property(someRoutes, someMachines, someOptions, (routes, machines, how) => {
        const { visits } = planWeek(routes, machines, how)
        expect(new Set(visits.map(({ machineId, day }) => `${machineId} ${day}`)).size).toBe(visits.length)
        for (const { machineId, routeId, day } of visits) {
          const route = routes.find(({ id }) => id === routeId)!
          const machine = machines.find(({ id }) => id === machineId)!
          const service = machine.services.find((one) => one.routeId === routeId)
          expect(day).toBeLessThan(7)
          expect(route.days).toContain(weekdayOf(how.firstDay, day))
          expect(route.planned).not.toContain(day)
          expect(machine.planned).not.toContain(day)
          expect(day === 0 && service?.isClosed).not.toBe(true)
          if (service)
            expect(service.days.length === 0 || service.days.includes(weekdayOf(how.firstDay, day))).toBe(true)
          else expect(machine.services).toEqual([])
        }
      }),
      runs,
    )
  })

  test('no route has more stops than its limit on a day, or more pieces than a van carries', () => {
    fc.assert(
      fc.property(someRoutes, someMachines, someOptions, (routes, machines, how) => {
        const { visits } = planWeek(routes, machines, how)
        for (const [key, stops] of Map.groupBy(visits, ({ routeId, day }) => `${routeId}:${day}`)) {
          const route = routes.find(({ id }) => key.startsWith(`${id}:`))!
          expect(stops.length).toBeLessThanOrEqual(route.mostStops)
          const pieces = stops.reduce((sum, stop) => sum + stop.pieces, 0)
          expect(pieces).toBeLessThanOrEqual(how.vanPieces ?? Number.POSITIVE_INFINITY)
        }
      }),
      runs,
    )
  })

  test('the plan is the same, in whatever order the machines are', () => {
    fc.assert(
      fc.property(someRoutes, someMachines, someOptions, (routes, machines, how) => {
        expect(planWeek(routes, machines.toReversed(), how)).toEqual(planWeek(routes, machines, how))
      }),
      runs,
    )
  })

  test('a machine that needs nothing is visited on promised days alone', () => {
    fc.assert(
      fc.property(someRoutes, someMachines, someOptions, (routes, machines, how) => {
        const idle = aMachine('idle', { services: machines[0]?.services ?? [], place: machines[0]?.place ?? null })
        const { visits, left } = planWeek(routes, [...machines, idle], how)
        for (const visit of visits.filter(({ machineId }) => machineId === 'idle')) expect(visit.isPromised).toBe(true)
        expect(left.some(({ machineId }) => machineId === 'idle')).toBe(false)
      }),
      runs,
    )
  })

  test('a machine whose need comes earlier is not visited later', () => {
    const firstVisit = (routes: readonly PlanRoute[], machines: readonly PlanMachine[], how: PlanOptions, id: string) =>
      Math.min(
        ...planWeek(routes, machines, how)
          .visits.filter(({ machineId }) => machineId === id)
          .map(({ day }) => day),
      )
    fc.assert(
      fc.property(
        someRoutes,
        someMachines.filter(({ length }) => length > 0),
        someOptions,
        fc.nat(),
        fc.nat(6),
        fc.nat(500),
        (routes, machines, how, pick, pieces, cash) => {
          const chosen = machines[pick % machines.length]!
          const needier: PlanMachine = {
            ...chosen,
            selections: chosen.selections.map((one) => ({ ...one, level: Math.max(0, one.level - pieces) })),
            cash: chosen.cash && { ...chosen.cash, inBox: chosen.cash.inBox + cash },
          }
          const changed = machines.map((machine) => (machine === chosen ? needier : machine))
          expect(firstVisit(routes, changed, how, chosen.id)).toBeLessThanOrEqual(
            firstVisit(routes, machines, how, chosen.id),
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})
