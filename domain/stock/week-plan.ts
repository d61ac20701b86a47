import { isoWeekdayOf } from '../time/period.ts'
import { servedDays } from './route.ts'
import { nearRoutes } from './week-near.ts'
import {
  courseOf,
  firstNeed,
  lookAhead,
  lostBetween,
  type MachineCourse,
  type NeedFacts,
  planDays,
} from './week-need.ts'

export interface Place {
  latitude: number
  longitude: number
}

/** A route that may drive in the week. Where two serve a machine on the same day, the first one does. */
export interface PlanRoute {
  id: string
  /** ISO weekdays, 1 Monday to 7 Sunday. */
  days: readonly number[]
  /** Most stops of a day. */
  mostStops: number
  /** Days of the plan on which it has a round already, from 0. */
  planned: readonly number[]
  /** Its start and its machines. */
  places: readonly Place[]
}

/** That a route serves a machine. */
export interface PlanService {
  routeId: string
  /** Days that are promised to the machine alone; without any, it is visited on days of the route when it needs something. */
  days: readonly number[]
  /** The site has closed for the first day. */
  isClosed?: boolean
}

export interface PlanMachine extends NeedFacts {
  id: string
  place: Place | null
  services: readonly PlanService[]
  /** Days of the plan on which a round visits it already, from 0. */
  planned: readonly number[]
}

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

export interface WeekPlanned {
  visits: PlannedVisit[]
  left: { machineId: string; why: LeftOut; emptyOn: number | null; cashFullOn: number | null; lost: number }[]
}

/** The stops of a route on a day. */
interface DayRoute {
  index: number
  day: number
  room: number
  /** Pieces left in the van. */
  pieces: number
  /** Stops that are promised. */
  promised: number
}

/** A machine while the week is planned. */
interface Candidate {
  machine: PlanMachine
  /** Days on which a route may serve it when it needs something, by the route's place. */
  flexible: (number | undefined)[]
  /** Days that routes promise it. */
  promised: (number | undefined)[]
  /** Of each day, the next one on which it may be visited. */
  nextOf: readonly number[]
  kmTo: ReadonlyMap<number, number>
  /** One route serves it on each of its days: any of these days is as possible for it as for the others. */
  isPlain: boolean
  visits: Map<number, number>
  course: MachineCourse
  isVisited: boolean
}

/** Of each day, the next one on which a machine is or may be visited; at most the end of the look ahead. */
function nextServices({ flexible, promised, machine }: Pick<Candidate, 'flexible' | 'promised' | 'machine'>): number[] {
  const nextOf = Array<number>(lookAhead).fill(lookAhead)
  for (let day = lookAhead - 2; day >= 0; day--) {
    const next = day + 1
    const isPossible = flexible[next] !== undefined || promised[next] !== undefined || machine.planned.includes(next)
    nextOf[day] = isPossible ? next : (nextOf[next] ?? lookAhead)
  }
  return nextOf
}
const nextService = ({ nextOf }: Candidate, day: number): number => nextOf[day] ?? lookAhead

/** As `nextService`, with the visits of this plan. */
function nextVisit(candidate: Candidate, day: number): number {
  let next = nextService(candidate, day)
  for (const visit of candidate.visits.keys()) if (visit > day && visit < next) next = visit
  return next
}

/** The need for a visit on a day: what is lost until the next chance, and when it begins. Undefined: it can wait. */
function urgencyOn(candidate: Candidate, day: number) {
  const next = nextVisit(candidate, day)
  const from = firstNeed(candidate.course, day, next)
  return from === undefined ? undefined : { candidate, from, lost: lostBetween(candidate.course, day, next) }
}
type Urgency = NonNullable<ReturnType<typeof urgencyOn>>

const byId = (one: Candidate, other: Candidate) => (one.machine.id < other.machine.id ? -1 : 1)
/** The most money first. */
const byLoss = (one: Urgency, other: Urgency) =>
  other.lost - one.lost || one.from - other.from || byId(one.candidate, other.candidate)
/** The first need first. */
const byNeed = (one: Urgency, other: Urgency) => one.from - other.from || byId(one.candidate, other.candidate)

/** The first day since the last visit before `day`, and before another one, on which something is so. */
function sinceLastVisit(flags: readonly boolean[], { visits }: Candidate, day: number, before: number): number | null {
  const visited = [...visits.keys()].filter((visit) => visit < day)
  const found = flags.indexOf(true, Math.max(0, ...visited))
  return found < 0 || found >= before ? null : found
}

/**
 * Which machine is visited on which day by which route. A machine on a route is visited on the last of its days that is not after its first need;
 * where a day has more machines than the route can serve, the greatest losses are served; days before it with room have taken others, the first need
 * first. Days that are promised to a machine come first. Then machines that need a second visit get what room is left.
 */
export function planWeek(
  routes: readonly PlanRoute[],
  machines: readonly PlanMachine[],
  { firstDay, isToday, vanPieces }: PlanOptions,
): WeekPlanned {
  const firstWeekday = isoWeekdayOf(firstDay)
  const weekdayOf = (day: number) => ((firstWeekday + day) % planDays) + 1
  const drives = (route: PlanRoute, day: number) => route.days.includes(weekdayOf(day)) && !route.planned.includes(day)
  const days = routes.map((route, index) =>
    Array.from({ length: planDays }, (_, day): DayRoute => {
      const room = drives(route, day) ? route.mostStops : 0
      return { index, day, room, pieces: vanPieces ?? Number.POSITIVE_INFINITY, promised: 0 }
    }),
  )
  const dayRoute = (index: number, day: number) => days[index]?.[day] as DayRoute // Cast: an index of `routes`, a day of the week.
  const placeOf = new Map(routes.map(({ id }, index) => [id, index]))
  const orderOf = ({ routeId }: PlanService) => placeOf.get(routeId) ?? routes.length
  const isInWeek = (route: PlanRoute) => days[placeOf.get(route.id) ?? 0]?.some(({ room }) => room > 0) === true
  const near = nearRoutes(
    routes.filter(isInWeek),
    machines.filter(({ services }) => services.length === 0),
  )

  const candidates = machines
    .map((machine): Candidate => {
      const kmTo = new Map(
        (near.get(machine.id) ?? []).map(({ routeId, km }) => [placeOf.get(routeId) as number, km] as const), // Cast: of `routes`.
      )
      const visits = new Map(machine.planned.map((day) => [day, 1]))
      const empty = () => Array<number | undefined>(lookAhead).fill(undefined)
      const candidate = {
        machine,
        kmTo,
        visits,
        flexible: empty(),
        promised: empty(),
        nextOf: [] as readonly number[],
        isPlain: machine.services.length + kmTo.size === 1 && machine.planned.length === 0,
        course: courseOf(machine, visits),
        isVisited: false,
      }
      const services = [
        ...machine.services.toSorted((one, other) => orderOf(one) - orderOf(other)),
        ...[...kmTo.keys()].map((index): PlanService => ({ routeId: routes[index]?.id ?? '', days: [] })),
      ]
      for (const service of services) {
        const index = placeOf.get(service.routeId)
        const route = index === undefined ? undefined : routes[index]
        if (!route) continue
        if (service.isClosed || service.days.length > 0) candidate.isPlain = false
        const chances = service.days.length > 0 ? candidate.promised : candidate.flexible
        const served = servedDays(route.days, service.days)
        for (let day = 0; day < lookAhead; day++)
          if (
            chances[day] === undefined &&
            served.includes(weekdayOf(day)) &&
            drives(route, day) &&
            !(day === 0 && service.isClosed)
          )
            chances[day] = index
      }
      candidate.nextOf = nextServices(candidate)
      return candidate
    })
    .sort(byId)

  const planned: PlannedVisit[] = []
  /** Adds a stop if the day has room for it. */
  const visit = ({ candidate, lost, from }: Urgency, at: DayRoute, kind: { isPromised?: true; isEarly?: true }) => {
    if (at.room <= 0 || at.pieces <= 0 || candidate.visits.has(at.day)) return
    const { machine, course, visits, kmTo } = candidate
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
      routeId: routes[at.index]?.id ?? '',
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
  }

  // What is promised. Its order is that of the machines as they are now, so that no day depends on another one.
  const promises = candidates.filter(({ promised }) => promised.some((index) => index !== undefined))
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
      visit({ ...one, lost }, dayRoute(one.candidate.promised[day] ?? 0, day), { isPromised: true })
    }
  }

  const members = routes.map((_, index) => candidates.filter(({ flexible }) => flexible.includes(index)))
  /** The day of the week after one on which a route serves a machine that needs something. */
  const dueDay = (candidate: Candidate, { index, day }: DayRoute) => {
    for (let due = day + 1; due < planDays; due++)
      if (candidate.flexible[due] === index && urgencyOn(candidate, due)) return due
    return undefined
  }
  /** So many of the machines that are due later are served now: the days after this one have no room for them. */
  const broughtForward = (dueDays: readonly number[], { index, day }: DayRoute) => {
    let balance = 0
    let most = 0
    for (let later = day + 1; later < planDays; later++) {
      balance += dueDays.filter((due) => due === later).length - dayRoute(index, later).room
      most = Math.max(most, balance)
    }
    return most
  }
  for (let pass = 0; pass < planDays; pass++) {
    const before = planned.length
    const served = new Set<Candidate>()
    for (let day = 0; day < planDays; day++)
      for (const index of routes.keys()) {
        const at = dayRoute(index, day)
        if (at.room <= 0) continue
        const serve = (one: Urgency, kind: { isEarly?: true } = {}) => {
          const count = planned.length
          visit(one, at, kind)
          if (planned.length > count) served.add(one.candidate)
        }
        const urgent: Urgency[] = []
        const waiting: { candidate: Candidate; due: number }[] = []
        const canWait = pass === 0 && !(isToday && day === 0)
        for (const candidate of members[index] ?? []) {
          if (candidate.flexible[day] !== index || served.has(candidate) || candidate.visits.has(day)) continue
          const urgency = urgencyOn(candidate, day)
          if (urgency) urgent.push(urgency)
          const due = canWait && candidate.isPlain && !urgency ? dueDay(candidate, at) : undefined
          if (due !== undefined) waiting.push({ candidate, due })
        }
        for (const one of urgent.sort(byLoss)) serve(one)
        const early = Math.min(
          at.room,
          broughtForward(
            waiting.map(({ due }) => due),
            at,
          ),
        )
        if (early <= 0) continue
        const queue = waiting
          .map(({ candidate }) => ({
            candidate,
            lost: 0,
            from: firstNeed(candidate.course, day, lookAhead) ?? lookAhead,
          }))
          .sort(byNeed)
        for (const one of queue.slice(0, early)) serve(one, { isEarly: true })
      }
    if (planned.length === before) break
  }

  const left = candidates.flatMap((candidate) => {
    const { machine, course, flexible, promised, kmTo, isVisited } = candidate
    if (isVisited || machine.planned.length > 0 || firstNeed(course, 0, planDays) === undefined) return []
    const hasChance = [...flexible, ...promised].some((index) => index !== undefined)
    const isInTime = [...flexible.slice(0, planDays), ...promised.slice(0, planDays)].some((one) => one !== undefined)
    const why: LeftOut = isInTime ? 'noRoom' : hasChance || kmTo.size > 0 ? 'noServiceDay' : 'noRoute'
    const emptyOn = sinceLastVisit(course.isEmpty, candidate, 0, planDays)
    const cashFullOn = sinceLastVisit(course.isCashFull, candidate, 0, planDays)
    return [{ machineId: machine.id, why, emptyOn, cashFullOn, lost: Math.round(lostBetween(course, 0, planDays)) }]
  })
  return { visits: planned, left }
}
