import type { TenantDb } from '#database/frame/tenant.ts'
import {
  isHotTotal,
  type WeekMachine,
  type WeekSelection,
  weekMachines,
  weekSelections,
} from '#database/stock/week/machines.ts'
import {
  type RoundOfWeek,
  roundsOfWeek,
  type WeekService,
  weekRoutes,
  weekServices,
} from '#database/stock/week/rounds.ts'
import { type DayMoment, losingSales, salesOfDays } from '#domain/stock/supply.ts'
import type { PlanRoute } from '#domain/stock/week-calendar.ts'
import type { PlanMachine, PlanService } from '#domain/stock/week-candidate.ts'
import { lookAhead, type NeedFacts, type NeedSelection, planDays } from '#domain/stock/week-need.ts'
import { addDays, daysIn } from '#domain/time/period.ts'

/** From now to the first day of a plan. */
export interface UntilPlan {
  from: DayMoment
  daysAhead: number
  /** The time of the day by the merchant's clock, 08:00. */
  time: string
}

export interface WeekLimits {
  groupIds?: readonly string[] | undefined
  mostStops: (machines: number) => number
}

/** Whether a selection has nothing to sell, without a forecast of what it would sell. */
const isUnforeseen = ({ level, isManaged }: WeekSelection) => level <= 0 && !isManaged

/** What a machine's selections need. */
interface StockNeed {
  selections: NeedSelection[]
  /** The share of selections that are sold out without a forecast. */
  unforeseenShare: number
  /** Some selection is sold out now. */
  isOut: boolean
}

const nothing = new Float32Array(lookAhead)

function stockNeedOf(rows: readonly WeekSelection[], { from, daysAhead }: UntilPlan): StockNeed {
  const losing = new Set(losingSales(rows))
  let isOut = false
  const selections = rows.map((row) => {
    const sales = row.outlook && salesOfDays(row.outlook, from, daysAhead + lookAhead)
    const losesSales = losing.has(row)
    const soldBefore = sales ? sales.subarray(0, daysAhead).reduce((sum, one) => sum + one, 0) : 0
    if (losesSales && row.level <= 0 && (!row.isManaged || sales?.some((pieces) => pieces > 0) === true)) isOut = true
    return {
      level: row.level - soldBefore,
      sold: sales ? sales.subarray(daysAhead) : nothing,
      target: row.target,
      price: row.price,
      holdsPieces: !isHotTotal(row),
      losesSales,
    }
  })
  const unforeseen = [...losing].filter(isUnforeseen).length
  return { selections, unforeseenShare: unforeseen === 0 ? 0 : unforeseen / losing.size, isOut }
}

/** The needs of all machines, machine by machine: hundreds of thousands of selections are never in memory with all of their columns. */
async function stockNeeds(db: TenantDb, until: UntilPlan, groupIds: readonly string[] | undefined) {
  const needs = new Map<string, StockNeed>()
  let ofMachine: WeekSelection[] = []
  const finish = () => {
    const [first] = ofMachine
    if (first) needs.set(first.machineId, stockNeedOf(ofMachine, until))
    ofMachine = []
  }
  const days = until.daysAhead + lookAhead
  for await (const rows of weekSelections(db, { today: until.from.day, days }, groupIds))
    for (const row of rows) {
      if (ofMachine[0] && ofMachine[0].machineId !== row.machineId) finish()
      ofMachine.push(row)
    }
  finish()
  return needs
}

function needOf(
  { cashInBox, cashBoxCapacity, cashPerDay, usualPerDay }: WeekMachine,
  stock: StockNeed | undefined,
  { daysAhead }: UntilPlan,
): NeedFacts {
  const share = stock?.unforeseenShare ?? 0
  return {
    selections: stock?.selections ?? [],
    unforeseen: share === 0 ? null : { lostPerDay: usualPerDay * share },
    cash:
      cashInBox === null || !cashBoxCapacity
        ? null
        : { inBox: cashInBox + cashPerDay * daysAhead, capacity: cashBoxCapacity, perDay: cashPerDay },
  }
}

/** The site can be entered no more today: it closes before midnight, and has. */
const hasClosed = ({ opensAt, closesAt }: WeekService, { daysAhead, time }: UntilPlan) =>
  daysAhead === 0 && closesAt !== null && (opensAt === null || opensAt < closesAt) && closesAt <= time

/** The facts that a plan of the week needs, read in sets. */
export async function weekFacts(db: TenantDb, until: UntilPlan, { groupIds, mostStops }: WeekLimits) {
  const { from, daysAhead } = until
  const firstDay = addDays(from.day, daysAhead)
  const week = { startDate: firstDay, endDate: addDays(firstDay, planDays - 1) }
  const machines = await weekMachines(db, from.day, groupIds)
  const needs = await stockNeeds(db, until, groupIds)
  const routes = await weekRoutes(db)
  const services = await weekServices(db)
  const rounds = await roundsOfWeek(db, week)
  const dayOf = ({ day }: RoundOfWeek) => daysIn({ startDate: firstDay, endDate: day }) - 1

  const machineById = new Map(machines.map((machine) => [machine.id, machine]))
  const byRoute = Map.groupBy(services, ({ routeId }) => routeId)
  const byMachine = Map.groupBy(services, ({ machineId }) => machineId)
  const visitedOn = new Map<string, number[]>()
  for (const round of rounds)
    for (const id of round.openIds) visitedOn.set(id, [...(visitedOn.get(id) ?? []), dayOf(round)])

  const planRoutes = routes.map(({ id, days: weekdays, start }): PlanRoute => {
    const stops = byRoute.get(id) ?? []
    const places = stops.flatMap(({ machineId }) => placeOf(machineById.get(machineId)) ?? [])
    return {
      id,
      days: weekdays,
      mostStops: mostStops(stops.length),
      planned: rounds.filter(({ routeId }) => routeId === id).map(dayOf),
      places: start ? [start, ...places] : places,
    }
  })
  const planMachines = machines.map(
    (machine): PlanMachine => ({
      id: machine.id,
      place: placeOf(machine),
      planned: visitedOn.get(machine.id) ?? [],
      services: (byMachine.get(machine.id) ?? []).map(
        (one): PlanService => ({ routeId: one.routeId, days: one.days, isClosed: hasClosed(one, until) }),
      ),
      ...needOf(machine, needs.get(machine.id), until),
    }),
  )
  const soldOut = new Set([...needs].filter(([, { isOut }]) => isOut).map(([machineId]) => machineId))
  return { week, machineById, routes, services, rounds, planRoutes, planMachines, soldOut }
}

const placeOf = (machine: Pick<WeekMachine, 'latitude' | 'longitude'> | undefined) =>
  machine === undefined || machine.latitude === null || machine.longitude === null
    ? null
    : { latitude: machine.latitude, longitude: machine.longitude }
