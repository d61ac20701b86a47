import { servedDays } from './route.ts'
import type { Place, WeekCalendar } from './week-calendar.ts'
import { nearRoutes } from './week-near.ts'
import { courseOf, firstNeed, lookAhead, lostBetween, type MachineCourse, type NeedFacts } from './week-need.ts'

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

/** A machine while the week is planned. */
export interface Candidate {
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

/** The machines in the order of their ids, with the days on which routes may serve them. */
export function candidatesOf(machines: readonly PlanMachine[], calendar: WeekCalendar): Candidate[] {
  const near = nearRoutes(
    calendar.inWeek(),
    machines.filter(({ services }) => services.length === 0),
  )
  return machines
    .map((machine) => {
      const kmTo = new Map(
        (near.get(machine.id) ?? []).map(({ routeId, km }) => [calendar.indexOf.get(routeId) as number, km] as const), // Cast: of `routes`.
      )
      return candidateOf(machine, kmTo, calendar)
    })
    .sort(byId)
}

/** `kmTo`: kilometres to the routes near a machine that is on none, by their place. */
function candidateOf(machine: PlanMachine, kmTo: ReadonlyMap<number, number>, calendar: WeekCalendar): Candidate {
  const { routes, indexOf } = calendar
  const visits = new Map(machine.planned.map((day) => [day, 1]))
  const never = () => Array<number | undefined>(lookAhead).fill(undefined)
  const candidate: Candidate = {
    machine,
    kmTo,
    visits,
    flexible: never(),
    promised: never(),
    nextOf: [],
    isPlain: machine.services.length + kmTo.size === 1 && machine.planned.length === 0,
    course: courseOf(machine, visits),
    isVisited: false,
  }
  const orderOf = ({ routeId }: PlanService) => indexOf.get(routeId) ?? routes.length
  const services = [
    ...machine.services.toSorted((one, other) => orderOf(one) - orderOf(other)),
    ...[...kmTo.keys()].map((index): PlanService => ({ routeId: routes[index]?.id ?? '', days: [] })),
  ]
  for (const service of services) addChances(candidate, service, calendar)
  candidate.nextOf = nextServices(candidate)
  return candidate
}

/** Adds the days of a service that no earlier one has taken. */
function addChances(candidate: Candidate, service: PlanService, calendar: WeekCalendar): void {
  const index = calendar.indexOf.get(service.routeId)
  const route = index === undefined ? undefined : calendar.routes[index]
  if (!route) return
  if (service.isClosed || service.days.length > 0) candidate.isPlain = false
  const chances = service.days.length > 0 ? candidate.promised : candidate.flexible
  const served = servedDays(route.days, service.days)
  for (let day = service.isClosed ? 1 : 0; day < lookAhead; day++)
    if (chances[day] === undefined && served.includes(calendar.weekdayOf(day)) && calendar.drives(route, day))
      chances[day] = index
}

/** Of each day, the next one on which a machine is or may be visited; at most the end of the look ahead. */
function nextServices({ flexible, promised, machine }: Candidate): number[] {
  const nextOf = Array<number>(lookAhead).fill(lookAhead)
  for (let day = lookAhead - 2; day >= 0; day--) {
    const next = day + 1
    const isPossible = flexible[next] !== undefined || promised[next] !== undefined || machine.planned.includes(next)
    nextOf[day] = isPossible ? next : (nextOf[next] ?? lookAhead)
  }
  return nextOf
}

export const nextService = ({ nextOf }: Candidate, day: number): number => nextOf[day] ?? lookAhead

/** As `nextService`, with the visits of this plan. */
function nextVisit(candidate: Candidate, day: number): number {
  let next = nextService(candidate, day)
  for (const visit of candidate.visits.keys()) if (visit > day && visit < next) next = visit
  return next
}

/** A machine's need for a visit on a day. */
export interface Urgency {
  candidate: Candidate
  /** The day on which it begins. */
  from: number
  /** Minor units that are lost until the next chance. */
  lost: number
}

/** The need for a visit on a day. Undefined: it can wait. */
export function urgencyOn(candidate: Candidate, day: number): Urgency | undefined {
  const next = nextVisit(candidate, day)
  const from = firstNeed(candidate.course, day, next)
  return from === undefined ? undefined : { candidate, from, lost: lostBetween(candidate.course, day, next) }
}

const byId = (one: Candidate, other: Candidate) => (one.machine.id < other.machine.id ? -1 : 1)
/** The most money first. */
export const byLoss = (one: Urgency, other: Urgency) =>
  other.lost - one.lost || one.from - other.from || byId(one.candidate, other.candidate)
/** The first need first. */
export const byNeed = (one: Urgency, other: Urgency) => one.from - other.from || byId(one.candidate, other.candidate)

/** The first day since the last visit before `day`, and before another one, on which something is so. */
export function sinceLastVisit(
  flags: readonly boolean[],
  { visits }: Candidate,
  day: number,
  before: number,
): number | null {
  const visited = [...visits.keys()].filter((visit) => visit < day)
  const found = flags.indexOf(true, Math.max(0, ...visited))
  return found < 0 || found >= before ? null : found
}
