import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayIn, isoWeekdayOf } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aPrice, aStock } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let adminId: string
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  adminId = user.id
  admin = api.as(user)
})

/** The first day of a plan: tomorrow in the merchant's zone. */
const firstDay = () => addDays(dayIn(new Date(), 'Europe/Rome'), 1)
const day = (number: number) => addDays(firstDay(), number)
const weekday = (number: number) => isoWeekdayOf(day(number)) + 1

/** A managed machine at a place whose only selection sells a piece a day for 1.00 and is empty on a day of the plan. */
async function aSellingMachine(name: string, emptyOn: number, with_: { groupId?: string; latitude?: number } = {}) {
  const { latitude = 45, ...more } = with_
  const machine = await aMachine(api.database, merchantId, { name, ...more, columns: { latitude, longitude: 9 } })
  await aStock(api.database, machine, {
    selection: '11',
    level: 20,
    capacity: 20,
    at: new Date(Date.now() - 7_200_000),
  })
  await admin.setManageStock({ params: { merchantId, posId: machine.id }, body: { manageStock: true } })
  // Nothing is sold before the plan, so that no time of the day matters.
  await api.database.admin(
    `update machine_stock set level = $2, balance = $2, usual = array_fill(1::real, array[7]), forecast_from = $3::date - 1,
       forecast = array[0::real] || array_fill(1::real, array[27]) where machine_id = $1`,
    [machine.id, emptyOn + 1, firstDay()],
  )
  await aPrice(api.database, machine, { selection: '11', price: 100 })
  return machine
}
const aRoute = (name: string, days: readonly number[], stops: readonly (TestMachine | object)[], with_: object = {}) =>
  admin.createRoute({
    params: { merchantId },
    body: {
      name,
      days: [...days],
      stops: stops.map((stop) => ('id' in stop ? { posId: stop.id } : stop)) as { posId: string }[],
      ...with_,
    },
  })
const plan = (query: object = {}, client = admin) => client.getWeekPlan({ params: { merchantId }, query })
const stopsOf = async (query: object = {}) =>
  (await plan(query)).rounds.flatMap((round) => round.stops.map((stop) => [round.routeName, round.day, stop.posName]))

test('machines are proposed on the last day of their route before they are empty, with reasons and what skipping costs', async () => {
  const station = await aSellingMachine('Station', 1)
  const office = await aSellingMachine('Office', 5)
  await aSellingMachine('Quiet', 25)
  await aRoute('North', [weekday(0), weekday(4)], [office, station], { assigneeId: adminId })
  const week = await plan()
  expect(week).toMatchObject({ startDate: day(0), endDate: day(6), currency: 'EUR', planned: [], leftOut: [] })
  expect(week.rounds).toMatchObject([
    {
      day: day(0),
      routeName: 'North',
      mostStops: 20,
      stops: [
        {
          posName: 'Station',
          pieces: 18,
          // Empty in the course of the second day: two days without sales until the route comes again.
          skipCost: 200,
          reasons: [
            { kind: 'empty', day: day(1) },
            { kind: 'lostSales', amount: 67 },
          ],
        },
      ],
    },
    { day: day(4), stops: [{ posName: 'Office', pieces: 18, skipCost: 100 }] },
  ])
  expect(week.totals).toEqual({ stops: 2, pieces: 36, lostSales: 300 })
})

test('a cash box that will be full, and a promised day, are reasons of their own', async () => {
  const kiosk = await aMachine(api.database, merchantId, {
    name: 'Kiosk',
    columns: { cash_in_box: 95_00, cash_box_capacity: 100_00 },
  })
  const school = await aMachine(api.database, merchantId, { name: 'School' })
  await aRoute(
    'North',
    [weekday(1), weekday(2)],
    [kiosk, { posId: school.id, days: [weekday(2)], opensAt: '08:00', closesAt: '12:00' }],
  )
  expect((await plan()).rounds).toMatchObject([
    { day: day(1), stops: [{ posName: 'Kiosk', skipCost: 0, reasons: [{ kind: 'cashFull', day: day(0) }] }] },
    {
      day: day(2),
      stops: [{ posName: 'School', opensAt: '08:00', closesAt: '12:00', reasons: [{ kind: 'promised' }] }],
    },
  ])
})

test('a machine of no route is served by a near one, or left out with its losses', async () => {
  await aSellingMachine('Near', 2, { latitude: 45.05 })
  await aSellingMachine('Far', 2, { latitude: 48 })
  const station = await aSellingMachine('Station', 2)
  await aRoute('North', [weekday(2)], [station])
  const { rounds, leftOut } = await plan()
  expect(rounds).toMatchObject([
    { stops: [{ posName: 'Station' }, { posName: 'Near', reasons: [{}, {}, { kind: 'nearRoute', km: 5.6 }] }] },
  ])
  expect(leftOut).toMatchObject([{ posName: 'Far', why: 'noRoute', lostSales: 400 }])
})

test('limits of stops and pieces hold, and earlier days take what a full day cannot', async () => {
  const machines = [await aSellingMachine('A', 1), await aSellingMachine('B', 1), await aSellingMachine('C', 1)]
  await aRoute('North', [weekday(0), weekday(1)], machines)
  expect(await stopsOf({ mostStops: 2 })).toHaveLength(3)
  const { rounds } = await plan({ mostStops: 2, vanPieces: 20 })
  for (const { stops } of rounds) {
    expect(stops.length).toBeLessThanOrEqual(2)
    expect(stops.reduce((sum, { pieces }) => sum + pieces, 0)).toBeLessThanOrEqual(20)
  }
})

test('rounds are created from the proposal once, however often it is sent, and are shown as planned', async () => {
  const station = await aSellingMachine('Station', 1)
  const office = await aSellingMachine('Office', 1)
  const route = await aRoute('North', [weekday(1)], [office, station], { assigneeId: adminId })
  const [proposed] = (await plan()).rounds
  const order = { routeId: route.id, day: day(1), posIds: proposed!.stops.map(({ posId }) => posId) }
  const send = () => admin.createWeekRounds({ params: { merchantId }, body: { rounds: [order] } })
  const [first] = (await send()).rounds
  expect(first).toMatchObject({ routeId: route.id, day: day(1), outcome: 'created' })
  const round = await admin.getRound({ params: { merchantId, roundId: first!.roundId } })
  expect(round).toMatchObject({ name: 'North', day: day(1), assigneeId: adminId, status: 'planned' })
  expect(round.stopList.map(({ posName }) => posName)).toEqual(['Office', 'Station'])
  // What the round loads is what the plan said.
  expect(round.pieces).toBe(proposed!.stops.reduce((sum, { pieces }) => sum + pieces, 0))

  expect((await send()).rounds).toEqual([{ ...first, outcome: 'alreadyPlanned' }])
  const both = await Promise.all([send(), send()])
  expect(both.flatMap(({ rounds }) => rounds.map(({ roundId }) => roundId))).toEqual([first!.roundId, first!.roundId])
  const week = await plan()
  expect(week).toMatchObject({ rounds: [], planned: [{ id: first!.roundId, routeId: route.id, stops: 2 }] })

  await admin.cancelRound({ params: { merchantId, roundId: first!.roundId } })
  expect((await plan()).planned).toEqual([])
  expect((await send()).rounds).toMatchObject([{ outcome: 'created' }])
})

test('a round that a user starts from a route is the round of the route on that day', async () => {
  const station = await aSellingMachine('Station', 1)
  const { id: routeId } = await aRoute('North', [weekday(1)], [station])
  const body = { name: 'By hand', day: day(1), posIds: [station.id], routeId }
  const round = await admin.createRound({ params: { merchantId }, body })
  expect(round).toMatchObject({ routeId, routeName: 'North' })
  expect(await plan()).toMatchObject({ rounds: [], planned: [{ id: round.id, routeId }] })
  const week = { rounds: [{ routeId, day: day(1), posIds: [station.id] }] }
  const created = await admin.createWeekRounds({ params: { merchantId }, body: week })
  expect(created.rounds).toMatchObject([{ roundId: round.id, outcome: 'alreadyPlanned' }])

  // Without its route it is no round of it.
  const params = { merchantId, roundId: round.id }
  const edited = await admin.updateRound({ params, body: { ...body, routeId: null, version: round.version } })
  expect(edited).toMatchObject({ routeId: null, routeName: null })
  const again = await admin.updateRound({ params, body: { ...body, version: edited.version } })
  expect(again).toMatchObject({ routeId, routeName: 'North' })
  // A round outlives its route.
  await admin.deleteRoute({ params: { merchantId, routeId } })
  expect(await admin.getRound({ params })).toMatchObject({ routeId: null, routeName: null })
  const renamed = { ...body, name: 'Renamed', routeId: null, version: again.version }
  expect(await admin.updateRound({ params, body: renamed })).toMatchObject({ name: 'Renamed', routeId: null })

  const other = await aMerchant(api.database)
  const stranger = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: other.id, groups: 'all' }]))
  const foreign = { name: 'South', days: [weekday(1)], stops: [] }
  const { id } = await stranger.createRoute({ params: { merchantId: other.id }, body: foreign })
  await expect(admin.createRound({ params: { merchantId }, body: { ...body, routeId: id } })).rejects.toMatchObject({
    code: 'RouteNotFound',
  })
})

test('two calls at the same time create a round once', async () => {
  const station = await aSellingMachine('Station', 1)
  const route = await aRoute('North', [weekday(1)], [station])
  const rounds = [{ routeId: route.id, day: day(1), posIds: [station.id] }]
  const sent = await Promise.all(
    [1, 2, 3].map(() => admin.createWeekRounds({ params: { merchantId }, body: { rounds } })),
  )
  const outcomes = sent.map(({ rounds: [round] }) => round?.outcome)
  expect(outcomes.sort()).toEqual(['alreadyPlanned', 'alreadyPlanned', 'created'])
})

test('a machine that another round visits is not proposed again, and the groups of the reader or the call narrow the plan', async () => {
  const groupId = await aGroup(api.database, merchantId)
  const own = await aSellingMachine('Own', 1, { groupId })
  const other = await aSellingMachine('Other', 1)
  await aRoute('North', [weekday(0), weekday(1)], [own, other])
  expect(await stopsOf({ groupIds: [groupId] })).toEqual([['North', day(1), 'Own']])
  const reader = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  expect((await plan({}, reader)).totals.stops).toBe(1)
  await admin.createRound({ params: { merchantId }, body: { name: 'By hand', day: day(0), posIds: [own.id] } })
  const week = await plan()
  expect(week.planned).toMatchObject([{ name: 'By hand', routeId: null, stops: 1 }])
  expect(week.rounds.flatMap(({ stops }) => stops.map(({ posName }) => posName))).toEqual(['Other'])
})

test('a plan begins on a given day, today at the earliest', async () => {
  const station = await aSellingMachine('Station', 8)
  await aRoute('North', [1, 2, 3, 4, 5, 6, 7], [station])
  expect(await plan({ firstDay: day(3) })).toMatchObject({ startDate: day(3), endDate: day(9), totals: { stops: 1 } })
  expect(await plan({ firstDay: '2020-01-01' })).toMatchObject({ startDate: day(-1) })
})

test('a route and machines of others are refused', async () => {
  const station = await aSellingMachine('Station', 1)
  const elsewhere = (await aMerchant(api.database)).id
  const foreign = await aMachine(api.database, elsewhere)
  const route = await aRoute('North', [1], [station])
  const send = (posIds: string[], routeId = route.id) =>
    admin.createWeekRounds({ params: { merchantId }, body: { rounds: [{ routeId, day: day(1), posIds }] } })
  await expect(send([foreign.id])).rejects.toMatchObject({ code: 'MachineNotFound' })
  await expect(send([station.id], station.id)).rejects.toMatchObject({ code: 'RouteNotFound' })
})
