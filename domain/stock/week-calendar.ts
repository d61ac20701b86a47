import { isoWeekdayOf } from '../time/period.ts'
import { planDays } from './week-need.ts'

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

/** The stops of a route on a day. */
export interface DayRoute {
  /** Place of the route among the routes. */
  index: number
  day: number
  room: number
  /** Pieces left in the van. */
  pieces: number
  /** Stops that are promised. */
  promised: number
}

/** When the routes drive, and what room they have left. Days count from 0, the first day of the plan. */
export interface WeekCalendar {
  routes: readonly PlanRoute[]
  /** A route's place by its id. */
  indexOf: ReadonlyMap<string, number>
  /** ISO weekday of a day, also of one after the week. */
  weekdayOf(day: number): number
  /** Whether a route drives on a day, also on one after the week, and has no round yet. */
  drives(route: PlanRoute, day: number): boolean
  /** The route at `index` on a day of the week. */
  dayRoute(index: number, day: number): DayRoute
  /** The routes that have room on some day of the week. */
  inWeek(): PlanRoute[]
}

/** `vanPieces`: pieces that a van carries; null: no limit. */
export function calendarOf(
  routes: readonly PlanRoute[],
  { firstDay, vanPieces }: { firstDay: string; vanPieces: number | null },
): WeekCalendar {
  const firstWeekday = isoWeekdayOf(firstDay)
  const weekdayOf = (day: number) => ((firstWeekday + day) % planDays) + 1
  const drives = (route: PlanRoute, day: number) => route.days.includes(weekdayOf(day)) && !route.planned.includes(day)
  const days = routes.map((route, index) =>
    Array.from({ length: planDays }, (_, day): DayRoute => {
      const room = drives(route, day) ? route.mostStops : 0
      return { index, day, room, pieces: vanPieces ?? Number.POSITIVE_INFINITY, promised: 0 }
    }),
  )
  return {
    routes,
    indexOf: new Map(routes.map(({ id }, index) => [id, index])),
    weekdayOf,
    drives,
    dayRoute: (index, day) => days[index]?.[day] as DayRoute, // Cast: an index of `routes`, a day of the week.
    inWeek: () => routes.filter((_, index) => days[index]?.some(({ room }) => room > 0)),
  }
}
