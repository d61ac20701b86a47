import { ProductError } from '#contract/errors.ts'
import { mostStops } from '#contract/stock/round.ts'
import {
  type CreatedRound,
  type LeftOutMachine,
  type PlannedRound,
  type WeekPlan,
  type WeekPlanFilters,
  type WeekReason,
  type WeekRound,
  type WeekStop,
  type weekPlans,
} from '#contract/stock/week-plan.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import type { WeekMachine } from '#database/stock/week/machines.ts'
import { holdRoutes, roundsOfRoutes } from '#database/stock/week/rounds.ts'
import { inRouteOrder } from '#domain/stock/week-order.ts'
import { type PlannedVisit, planWeek } from '#domain/stock/week-plan.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { wallAt } from '#domain/time/zoned-time.ts'
import type { Handlers } from '#server/http/handler.ts'
import { assignableIn } from '#server/people/assignee.ts'
import { loadsUntil } from './candidates.ts'
import { createRound } from './round.ts'
import { refuseStrangers } from './route.ts'
import { weekFacts } from './week-facts.ts'

/** A plan begins at most so many days from today: later forecasts know the week alone. */
const farthestDays = 28
/** A route serves at least so many machines on a day, unless the caller says less: more than it has, where others are near. */
const leastStops = 20

const rounded = (km: number) => Math.round(km * 10) / 10

type Needs = Pick<PlannedVisit, 'emptyOn' | 'cashFullOn'> & Partial<PlannedVisit>

/** Why a machine is visited, most urgent first. `dayOf`: a day by its number in the plan. */
function reasonsOf(visit: Needs, isOut: boolean, dayOf: (day: number) => string): WeekReason[] {
  const { emptyOn, cashFullOn, lostPerDay = 0, isPromised, isEarly, km } = visit
  const none = { day: null, amount: null, km: null }
  const reasons: WeekReason[] = []
  if (emptyOn !== null)
    reasons.push(isOut ? { ...none, kind: 'soldOut' } : { ...none, kind: 'empty', day: dayOf(emptyOn) })
  if (lostPerDay > 0) reasons.push({ ...none, kind: 'lostSales', amount: lostPerDay })
  if (cashFullOn !== null) reasons.push({ ...none, kind: 'cashFull', day: dayOf(cashFullOn) })
  if (isPromised) reasons.push({ ...none, kind: 'promised' })
  if (isEarly) reasons.push({ ...none, kind: 'broughtForward' })
  if (km !== undefined && km !== null) reasons.push({ ...none, kind: 'nearRoute', km: rounded(km) })
  return reasons
}

/** A machine as it is shown in a plan. */
const shown = ({ id, name, serial, address, latitude, longitude }: WeekMachine) => ({
  posId: id,
  posName: name,
  posSerial: serial,
  address,
  latitude,
  longitude,
})

/** Proposes the rounds of seven days. Facts of all machines are read in sets. */
export async function weekPlanOf(db: TenantDb, now: Date, filters: WeekPlanFilters): Promise<WeekPlan> {
  const merchant = await db.from('merchants').select(['time_zone', 'currency']).executeTakeFirstOrThrow()
  const timeZone = merchant.time_zone
  const today = dayIn(now, timeZone)
  const wanted = filters.firstDay ?? addDays(today, 1)
  const latest = addDays(today, farthestDays)
  const until = { ...loadsUntil(wanted < latest ? wanted : latest, timeZone, now), time: wallAt(now, timeZone).time }
  const facts = await weekFacts(db, until, {
    groupIds: filters.groupIds,
    mostStops: (machines) => filters.mostStops ?? Math.min(mostStops, Math.max(leastStops, machines)),
  })
  const { week, machineById, planRoutes, planMachines } = facts
  const plan = planWeek(planRoutes, planMachines, {
    firstDay: week.startDate,
    isToday: until.daysAhead === 0,
    vanPieces: filters.vanPieces ?? null,
  })
  const dayOf = (day: number) => addDays(week.startDate, day)
  /** What is sold out stays so until its first visit. */
  const visitedBefore = new Map<string, number>()
  for (const { machineId, day } of plan.visits)
    visitedBefore.set(machineId, Math.min(day, visitedBefore.get(machineId) ?? day))
  const isOut = ({ machineId, day }: PlannedVisit) =>
    facts.soldOut.has(machineId) && visitedBefore.get(machineId) === day

  const serviceOf = new Map(facts.services.map((one) => [`${one.routeId} ${one.machineId}`, one]))
  const ofDay = Map.groupBy(plan.visits, ({ day, routeId }) => `${day} ${routeId}`)
  const rounds: WeekRound[] = []
  for (let day = 0; dayOf(day) <= week.endDate; day++)
    for (const [at, route] of facts.routes.entries()) {
      const visits = ofDay.get(`${day} ${route.id}`)
      if (!visits) continue
      const stops = visits.map((visit) => {
        const machine = machineById.get(visit.machineId) as WeekMachine // Cast: the plan's machines are these.
        const service = serviceOf.get(`${route.id} ${machine.id}`)
        return {
          position: service?.position ?? null,
          ...shown(machine),
          opensAt: service?.opensAt ?? null,
          closesAt: service?.closesAt ?? null,
          reasons: reasonsOf(visit, isOut(visit), dayOf),
          pieces: visit.pieces,
          skipCost: visit.skipCost,
        }
      })
      rounds.push({
        day: dayOf(day),
        routeId: route.id,
        routeName: route.name,
        assigneeName: route.assigneeName,
        mostStops: planRoutes[at]?.mostStops ?? mostStops,
        stops: inRouteOrder(stops, route.start).map(({ position: _, ...stop }): WeekStop => stop),
      })
    }
  const leftOut = plan.left
    .flatMap(({ machineId, why, lost, ...needs }): LeftOutMachine[] => {
      const machine = machineById.get(machineId)
      if (!machine) return []
      return [
        { ...shown(machine), reasons: reasonsOf(needs, facts.soldOut.has(machineId), dayOf), why, lostSales: lost },
      ]
    })
    .sort((one, other) => other.lostSales - one.lostSales)
  const planned = facts.rounds.map(
    ({ machineIds, openIds: _, ...round }): PlannedRound => ({ ...round, stops: machineIds.length }),
  )
  const sum = (valueOf: (visit: PlannedVisit) => number) =>
    plan.visits.reduce((total, visit) => total + valueOf(visit), 0)
  return {
    currency: merchant.currency as Currency,
    timeZone,
    ...week,
    rounds,
    planned,
    leftOut,
    totals: { stops: plan.visits.length, pieces: sum(({ pieces }) => pieces), lostSales: sum((one) => one.skipCost) },
  }
}

/** The plan of a week: proposed from forecasts, cash boxes and routes, and made into rounds. */
export const weekPlanHandlers: Handlers<typeof weekPlans> = {
  getWeekPlan: async ({ db, query, now }) => {
    if (db.scope.length !== 1) throw new ProductError('MerchantNotSelected')
    return weekPlanOf(db, now, query)
  },

  createWeekRounds: async (call) => {
    const { db, body } = call
    const [scope, ...others] = db.scope
    if (!scope || others.length > 0) throw new ProductError('MerchantNotSelected')
    const { merchantId } = scope
    await refuseStrangers(db, merchantId, [...new Set(body.rounds.flatMap(({ posIds }) => posIds))])
    const routeIds = [...new Set(body.rounds.map(({ routeId }) => routeId))]
    const routes = new Map((await holdRoutes(db, merchantId, routeIds)).map((route) => [route.id, route]))
    if (routes.size < routeIds.length) throw new ProductError('RouteNotFound')
    // Only users who may still be given work.
    const drivers = [...routes.values()].flatMap(({ assigneeId }) => assigneeId ?? [])
    const assignable = drivers.length === 0 ? [] : await assignableIn(call, drivers)
    const nameOf = new Map(assignable.map(({ id, name }) => [id, name]))
    const days = body.rounds.map(({ day }) => day)
    const key = (routeId: string, day: string) => `${routeId} ${day}`
    const existing = new Map<string, string>()
    for (const round of await roundsOfRoutes(db, merchantId, days))
      existing.set(key(round.routeId, round.day), round.id)
    const created: CreatedRound[] = []
    for (const { routeId, day, posIds } of body.rounds) {
      const known = existing.get(key(routeId, day))
      const route = routes.get(routeId)
      if (known || !route) {
        if (known) created.push({ routeId, day, roundId: known, outcome: 'alreadyPlanned' })
        continue
      }
      const assigneeName = (route.assigneeId && nameOf.get(route.assigneeId)) || null
      const roundId = await createRound(call, merchantId, {
        name: route.name,
        day,
        assigneeId: assigneeName === null ? null : route.assigneeId,
        assigneeName,
        vanId: null,
        routeId,
        note: null,
        posIds,
      })
      existing.set(key(routeId, day), roundId)
      created.push({ routeId, day, roundId, outcome: 'created' })
    }
    return { rounds: created }
  },
}
