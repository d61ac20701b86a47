import { calendarOf, type DayRoute, type PlanRoute, type WeekCalendar } from './week-calendar.ts'
import {
  byLoss,
  byNeed,
  type Candidate,
  candidatesOf,
  nextService,
  type PlanMachine,
  sinceLastVisit,
  type Urgency,
  urgencyOn,
} from './week-candidate.ts'
import { courseOf, firstNeed, lookAhead, lostBetween, planDays } from './week-need.ts'

export interface PlanOptions {
  firstDay: string
  /** The first day has begun: nothing is brought forward to it. */
  isToday: boolean
  /** Pieces that a van carries; null: no limit. */
  vanPieces: number | null
}

/** A proposed stop. Days count from 0, the first day of the plan; they may be after its last one. */
export interface PlannedVisit {
  machineId: string
  routeId: string
  day: number
  pieces: number
  /** When a selection is empty; 0: already, or on the first day. Null: not before the next service. */
  emptyOn: number | null
  cashFullOn: number | null
  /** Minor units that are lost on an average day from the first empty selection to the next service. */
  lostPerDay: number
  /** Minor units that are lost until the next possible service day if the stop is skipped. */
  skipCost: number
  isPromised: boolean
  /** Later days are full. */
  isEarly: boolean
  /** Kilometres to the nearest place of a route that it is not on; null: it is on the route. */
  km: number | null
}

/** Why a machine that needs something is visited on no day: no route serves it, its routes do not drive, or they are full. */
export type LeftOut = 'noRoute' | 'noServiceDay' | 'noRoom'

export interface LeftOutMachine {
  machineId: string
  why: LeftOut
  emptyOn: number | null
  cashFullOn: number | null
  lost: number
}

export interface WeekPlanned {
  visits: PlannedVisit[]
  left: LeftOutMachine[]
}

/** The plan as it grows. */
interface Plan {
  calendar: WeekCalendar
  candidates: readonly Candidate[]
  visits: PlannedVisit[]
}

/**
 * Which machine is visited on which day by which route. A machine on a route is visited on the last of its days that is not after its first need;
 * where a day has more machines than the route can serve, the greatest losses are served; days before it with room have taken others, the first need
 * first. Days that are promised to a machine come first. Then machines that need a second visit get what room is left.
 */
export function planWeek(
  routes: readonly PlanRoute[],
  machines: readonly PlanMachine[],
  options: PlanOptions,
): WeekPlanned {
  const calendar = calendarOf(routes, options)
  const plan: Plan = { calendar, candidates: candidatesOf(machines, calendar), visits: [] }
  addPromised(plan)
  const members = routes.map((_, index) => plan.candidates.filter(({ flexible }) => flexible.includes(index)))
  for (let pass = 0; pass < planDays; pass++) {
    const before = plan.visits.length
    /** Machines with a visit of this pass. */
    const served = new Set<Candidate>()
    for (let day = 0; day < planDays; day++)
      for (const index of routes.keys()) {
        const mayBringForward = pass === 0 && !(options.isToday && day === 0)
        serveDay(plan, calendar.dayRoute(index, day), members[index] ?? [], served, mayBringForward)
      }
    if (plan.visits.length === before) break
  }
  return { visits: plan.visits, left: plan.candidates.flatMap((candidate) => leftOut(candidate) ?? []) }
}

/** Adds a stop if the day has room for it. Returns whether it had. */
function addVisit(
  { calendar, visits: planned }: Plan,
  { candidate, lost, from }: Urgency,
  at: DayRoute,
  kind: { isPromised?: true; isEarly?: true } = {},
): boolean {
  const { machine, course, visits, kmTo } = candidate
  if (at.room <= 0 || at.pieces <= 0 || visits.has(at.day)) return false
  const missing = course.pieces[at.day] ?? 0
  const pieces = Math.min(missing, at.pieces)
  const next = nextService(candidate, at.day)
  // A stop that is brought forward has the reason of its later day.
  const before = kind.isEarly ? from + 1 : next
  const emptyOn = sinceLastVisit(course.isEmpty, candidate, at.day, before)
  const lasting = next - Math.max(at.day, emptyOn ?? from)
  at.room -= 1
  at.pieces -= pieces
  if (kind.isPromised) at.promised += 1
  planned.push({
    machineId: machine.id,
    routeId: calendar.routes[at.index]?.id ?? '',
    day: at.day,
    pieces,
    emptyOn,
    cashFullOn: sinceLastVisit(course.isCashFull, candidate, at.day, before),
    lostPerDay: lasting > 0 ? Math.round(lost / lasting) : 0,
    skipCost: Math.round(lost),
    isPromised: kind.isPromised ?? false,
    isEarly: kind.isEarly ?? false,
    km: kmTo.get(at.index) ?? null,
  })
  visits.set(at.day, missing === 0 ? 1 : pieces / missing)
  candidate.course = courseOf(machine, visits)
  candidate.isVisited = true
  return true
}

/** What is promised. Its order is that of the machines as they are now, so that no day depends on another one. */
function addPromised(plan: Plan): void {
  const promises = plan.candidates.filter(({ promised }) => promised.some((index) => index !== undefined))
  const asNow = new Map(promises.map((candidate) => [candidate, candidate.course]))
  for (let day = 0; day < planDays; day++) {
    const ofDay = promises.flatMap((candidate): Urgency[] => {
      if (candidate.promised[day] === undefined) return []
      const course = asNow.get(candidate) ?? candidate.course
      const next = nextService(candidate, day)
      return [{ candidate, from: firstNeed(course, day, lookAhead) ?? lookAhead, lost: lostBetween(course, day, next) }]
    })
    for (const one of ofDay.sort(byLoss)) {
      const lost = lostBetween(one.candidate.course, day, nextService(one.candidate, day))
      const at = plan.calendar.dayRoute(one.candidate.promised[day] ?? 0, day)
      addVisit(plan, { ...one, lost }, at, { isPromised: true })
    }
  }
}

/** Serves what is urgent on a route's day, the greatest losses first, and what later days have no room for. */
function serveDay(
  plan: Plan,
  at: DayRoute,
  members: readonly Candidate[],
  served: Set<Candidate>,
  mayBringForward: boolean,
): void {
  if (at.room <= 0) return
  const urgent: Urgency[] = []
  const waiting: { candidate: Candidate; due: number }[] = []
  for (const candidate of members) {
    if (candidate.flexible[at.day] !== at.index || served.has(candidate) || candidate.visits.has(at.day)) continue
    const urgency = urgencyOn(candidate, at.day)
    if (urgency) urgent.push(urgency)
    const due = mayBringForward && candidate.isPlain && !urgency ? dueDay(candidate, at) : undefined
    if (due !== undefined) waiting.push({ candidate, due })
  }
  for (const one of urgent.sort(byLoss)) if (addVisit(plan, one, at)) served.add(one.candidate)
  const dueDays = waiting.map(({ due }) => due)
  const early = Math.min(at.room, broughtForward(plan.calendar, dueDays, at))
  if (early <= 0) return
  const queue = waiting
    .map(({ candidate }): Urgency => {
      const from = firstNeed(candidate.course, at.day, lookAhead) ?? lookAhead
      return { candidate, from, lost: 0 }
    })
    .sort(byNeed)
  for (const one of queue.slice(0, early)) if (addVisit(plan, one, at, { isEarly: true })) served.add(one.candidate)
}

/** The day of the week after one on which a route serves a machine that needs something. */
function dueDay(candidate: Candidate, { index, day }: DayRoute): number | undefined {
  for (let due = day + 1; due < planDays; due++)
    if (candidate.flexible[due] === index && urgencyOn(candidate, due)) return due
  return undefined
}

/** So many of the machines that are due later are served now: the days after this one have no room for them. */
function broughtForward(calendar: WeekCalendar, dueDays: readonly number[], { index, day }: DayRoute): number {
  let balance = 0
  let most = 0
  for (let later = day + 1; later < planDays; later++) {
    balance += dueDays.filter((due) => due === later).length - calendar.dayRoute(index, later).room
    most = Math.max(most, balance)
  }
  return most
}

/** A machine that needs something and is visited on no day. */
function leftOut(candidate: Candidate): LeftOutMachine | undefined {
  const { machine, course, flexible, promised, kmTo, isVisited } = candidate
  if (isVisited || machine.planned.length > 0 || firstNeed(course, 0, planDays) === undefined) return undefined
  const hasChance = [...flexible, ...promised].some((index) => index !== undefined)
  const isInTime = [...flexible.slice(0, planDays), ...promised.slice(0, planDays)].some((one) => one !== undefined)
  return {
    machineId: machine.id,
    why: isInTime ? 'noRoom' : hasChance || kmTo.size > 0 ? 'noServiceDay' : 'noRoute',
    emptyOn: sinceLastVisit(course.isEmpty, candidate, 0, planDays),
    cashFullOn: sinceLastVisit(course.isCashFull, candidate, 0, planDays),
    lost: Math.round(lostBetween(course, 0, planDays)),
  }
}
