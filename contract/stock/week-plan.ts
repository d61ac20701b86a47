import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { Day, MinorUnits, oneOrMany } from '../frame/shapes.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { mostStops } from './round.ts'
import { RoundStatus } from './round-status.ts'

/** Why a machine is visited in a plan of the week. */
export const weekReasonKinds = [
  'soldOut',
  'empty',
  'lostSales',
  'cashFull',
  'promised',
  'broughtForward',
  'nearRoute',
] as const
export const WeekReasonKind = z.enum(weekReasonKinds)
export type WeekReasonKind = z.infer<typeof WeekReasonKind>

/**
 * `day`: by which a selection is empty or the cash box full. `amount`: sales lost on an average day from then on. `km`: to the nearest place of a route
 * that the machine is not on. Null where the kind has none.
 */
export const WeekReason = z.strictObject({
  kind: WeekReasonKind,
  day: Day.nullable(),
  amount: MinorUnits.nullable(),
  km: z.number().nullable(),
})
export type WeekReason = z.infer<typeof WeekReason>

const PlannedMachine = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  address: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  reasons: z.array(WeekReason),
})

/** A proposed stop. */
export const WeekStop = PlannedMachine.extend({
  /** When the site can be entered, by its clock; null: at any time. */
  opensAt: z.string().nullable(),
  closesAt: z.string().nullable(),
  /** Pieces to load. */
  pieces: z.int(),
  /** Sales that are lost until the next day on which the machine may be visited, if the stop is skipped: an estimate. */
  skipCost: MinorUnits,
})
export type WeekStop = z.infer<typeof WeekStop>

/** A proposed round: a route on a day, its stops in driving order. */
export const WeekRound = z.strictObject({
  day: Day,
  routeId: z.uuid(),
  routeName: z.string(),
  assigneeName: z.string().nullable(),
  /** The most stops that the plan gives it on a day. */
  mostStops: z.int(),
  stops: z.array(WeekStop),
})
export type WeekRound = z.infer<typeof WeekRound>

/** A round of the week that exists already, without cancelled ones. */
export const PlannedRound = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  day: Day,
  /** The route that it drives; this route is not proposed for the day. */
  routeId: z.uuid().nullable(),
  status: RoundStatus,
  assigneeName: z.string().nullable(),
  /** Stops of the reader's groups. */
  stops: z.int(),
})
export type PlannedRound = z.infer<typeof PlannedRound>

/** Why a machine that needs a visit gets none: no route serves it, its routes do not drive in these days, or they are full. */
export const leftOutWhys = ['noRoute', 'noServiceDay', 'noRoom'] as const
export const LeftOutWhy = z.enum(leftOutWhys)

/** A machine that needs a visit in the week and gets none. */
export const LeftOutMachine = PlannedMachine.extend({
  why: LeftOutWhy,
  /** Sales that are lost within the week: an estimate. */
  lostSales: MinorUnits,
})
export type LeftOutMachine = z.infer<typeof LeftOutMachine>

export const WeekPlan = z.strictObject({
  currency: Currency,
  timeZone: z.string(),
  /** The first and the last day of the plan. */
  startDate: Day,
  endDate: Day,
  rounds: z.array(WeekRound),
  planned: z.array(PlannedRound),
  leftOut: z.array(LeftOutMachine),
  /** Sums of the proposed stops. */
  totals: z.strictObject({ stops: z.int(), pieces: z.int(), lostSales: MinorUnits }),
})
export type WeekPlan = z.infer<typeof WeekPlan>

/** Rounds that are created by one call. */
export const mostWeekRounds = 50

/** A round to create: a route on a day, with its machines in driving order. */
export const NewWeekRound = z.strictObject({
  routeId: ids.routeId,
  day: Day,
  posIds: z
    .array(ids.posId)
    .min(1)
    .max(mostStops)
    .refine((all) => new Set(all).size === all.length, saying('unique')),
})
export type NewWeekRound = z.output<typeof NewWeekRound>

/** A round that was created, or that the route had already on that day. */
export const CreatedRound = z.strictObject({
  routeId: z.uuid(),
  day: Day,
  roundId: z.uuid(),
  outcome: z.enum(['created', 'alreadyPlanned']),
})
export type CreatedRound = z.infer<typeof CreatedRound>

export const WeekPlanFilters = z.strictObject({
  /** Tomorrow without it; a day before today is today, and one after four weeks is that of four weeks. */
  firstDay: Day.optional(),
  groupIds: oneOrMany(ids.groupId),
  /** The most stops of a route on a day; without it, as many as the route has, and at least 20. */
  mostStops: z.coerce.number().int().min(1).max(mostStops).optional(),
  /** The most pieces of a route on a day. */
  vanPieces: z.coerce.number().int().min(1).max(100_000).optional(),
})
export type WeekPlanFilters = z.infer<typeof WeekPlanFilters>

const shared = { feature: 'productStock' } as const

export const weekPlans = {
  getWeekPlan: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/week-plan',
    summary: 'Get a proposal of rounds for seven days: which machine is visited on which day and route, and why',
    needs: 'round.read',
    ...shared,
    // Not of stock: each sale would plan the week again.
    topics: ['round', 'route'],
    timeOut: 'large',
    query: WeekPlanFilters,
    ok: WeekPlan,
    fails: ['MerchantNotSelected'],
  }),
  createWeekRounds: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/week-plan/rounds',
    summary: 'Create rounds of routes; a route that has a round on the day already gets no second one',
    needs: 'round.write',
    ...shared,
    timeOut: 'large',
    body: z.strictObject({ rounds: z.array(NewWeekRound).min(1).max(mostWeekRounds) }),
    ok: z.strictObject({ rounds: z.array(CreatedRound) }),
    fails: ['MerchantNotSelected', 'RouteNotFound', 'MachineNotFound'],
  }),
}
