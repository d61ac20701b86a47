import type { VisitReason } from '#contract/stock/round.ts'
import { type RoundStatus, visitReasonKinds } from '#contract/stock/round-status.ts'
import { type Distances, shortOrder } from './driving-order.ts'

/** Facts of a machine that decide whether a visit pays. Amounts in minor units. */
export interface VisitFacts {
  /** Sold-out, low, and all selections with a known level. */
  out: number
  low: number
  selections: number
  /** Days until the first selection is empty by the usual sales; 0: sold out now. Null: unknown. */
  daysUntilEmpty: number | null
  /** The code of an open blocking alarm. */
  blockedBy: string | null
  /** Turnover of a usual day. */
  usualPerDay: number
  /** Usual sales of sold-out selections per day; null: the machine's stock is not managed. */
  lostPerDay: number | null
  cashInBox: number | null
  cashBoxCapacity: number | null
  /** Hours since the last audit, or since the machine was associated. */
  hoursSinceAudit: number
  auditExceededHours: number
}

/** A cash box is worth collecting on a round from this share of its capacity on, in percent. */
export const worthCollectingPercent = 75

const cashPercent = ({ cashInBox, cashBoxCapacity }: VisitFacts) =>
  cashInBox === null || !cashBoxCapacity ? null : Math.floor((cashInBox * 100) / cashBoxCapacity)

/** A selection that is empty within so many days is a reason for a visit: the next round comes too late for that of the day after. */
export const emptySoonDays = (days: number): number => Math.ceil(days) + 1

/**
 * The reasons to visit a machine until a day is over, most urgent first; none: it can wait. `days` from now to the end of the day, with its
 * fraction.
 */
export function visitReasons(facts: VisitFacts, days: number): VisitReason[] {
  const reasons: VisitReason[] = []
  const add = (kind: VisitReason['kind'], value: number | null, code: string | null = null) =>
    reasons.push({ kind, value, code })
  if (facts.blockedBy !== null) add('blocked', null, facts.blockedBy)
  if (facts.out > 0) add('soldOut', facts.out)
  const isSoon = facts.daysUntilEmpty !== null && facts.daysUntilEmpty <= emptySoonDays(days)
  if (facts.out === 0 && isSoon) add('emptySoon', facts.daysUntilEmpty)
  const percent = cashPercent(facts)
  if (percent !== null && percent >= worthCollectingPercent) add('cashFull', percent)
  if (facts.hoursSinceAudit > facts.auditExceededHours) add('auditOverdue', Math.floor(facts.hoursSinceAudit))
  if (facts.low > 0 && !isSoon) add('low', facts.low)
  return reasons.sort((one, other) => visitReasonKinds.indexOf(one.kind) - visitReasonKinds.indexOf(other.kind))
}

/** Whether the estimate of lost sales needs the turnover of a usual day. Of other machines it need not be known. */
export const needsUsualSales = ({ blockedBy, lostPerDay, out }: Pick<VisitFacts, 'blockedBy' | 'lostPerDay' | 'out'>) =>
  blockedBy !== null || (lostPerDay === null && out > 0)

/**
 * An estimate of the sales that are lost until the day is over. A blocked machine loses all of them, otherwise its sold-out selections lose
 * theirs: by their own usual sales where stock is managed, else by their share of the selections.
 */
export function lostSales(facts: VisitFacts, days: number): number {
  const share = facts.selections === 0 ? 0 : facts.out / facts.selections
  const perDay = facts.blockedBy !== null ? facts.usualPerDay : (facts.lostPerDay ?? facts.usualPerDay * share)
  return Math.round(perDay * Math.max(0, days))
}

/** What one selection needs. Null: unknown. */
export interface Fill {
  level: number | null
  capacity: number | null
  /** Filled up to it. */
  refillValue: number | null
  /** Pieces that are expected to be sold until the visit. */
  soldUntil: number
}

const expectedLevel = ({ level, soldUntil }: Fill) => Math.max(0, (level ?? 0) - Math.round(soldUntil))

/** Pieces to load: up to the refill value from the level expected at the visit, never more than fit. None where the level is unknown. */
export function piecesToLoad(fill: Fill): number {
  const { level, capacity, refillValue } = fill
  const target = refillValue ?? capacity
  if (level === null || target === null) return 0
  return Math.max(0, Math.min(target, capacity ?? target) - expectedLevel(fill))
}

/** The most pieces that fit at the visit: the capacity less the level expected then. Null: the capacity is unknown. */
export const piecesThatFit = (fill: Fill): number | null =>
  fill.capacity === null ? null : Math.max(0, fill.capacity - expectedLevel(fill))

/** Whether visits belong to a round: it is started, or its day has come. */
export const isDue = ({ status, day }: { status: RoundStatus; day: string }, today: string): boolean =>
  status !== 'planned' || day <= today

/** A round that is over takes no stops, loads or picked pieces. */
export const isClosed = (status: string): boolean => status === 'done' || status === 'cancelled'

export interface Spot {
  latitude: number | null
  longitude: number | null
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const earthKm = 6371

/** The distance of two places as the crow flies, in kilometres (haversine). */
export function kmBetween(
  one: { latitude: number; longitude: number },
  other: { latitude: number; longitude: number },
): number {
  const a = radians(one.latitude)
  const b = radians(other.latitude)
  const h =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(other.longitude - one.longitude) / 2) ** 2
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(h)))
}

type Placed<S> = S & { latitude: number; longitude: number }
const isPlaced = <S extends Spot>(spot: S): spot is Placed<S> => spot.latitude !== null && spot.longitude !== null

/** How a round drives. */
export interface Drive {
  /** Where it begins; without it, at the first stop. */
  start?: { latitude: number; longitude: number } | null
  /** It ends where it began. */
  returns?: boolean
  /** By roads, `distances[from][to]`: of the start, if there is one, and the stops with a place in their order. By default as the crow flies. */
  distances?: Distances | undefined
}

/** The stops that have a place. */
export const placedAmong = <S extends Spot>(stops: readonly S[]): Placed<S>[] => stops.filter(isPlaced)

/** The places that a drive's distances are between. */
export const placesOf = (stops: readonly Spot[], start?: Drive['start']) => [
  ...(start ? [start] : []),
  ...placedAmong(stops),
]

/** Stops in driving order, by a short way. Stops without a place keep their order and come last. */
export function drivingOrder<S extends Spot>(
  stops: readonly S[],
  { start, returns = false, distances }: Drive = {},
): S[] {
  const placed = stops.filter(isPlaced)
  const places = placesOf(stops, start)
  const between = distances ?? places.map((one) => places.map((other) => kmBetween(one, other)))
  const order = places.length === 0 ? [] : shortOrder(between, 0, returns)
  const shift = start ? 1 : 0
  const driven = order.slice(shift).flatMap((at) => placed[at - shift] ?? [])
  return [...driven, ...stops.filter((stop) => !isPlaced(stop))]
}

/** The length of a drive as the crow flies, in kilometres; stops without a place are left out. */
export function routeKm(stops: readonly Spot[], { start, returns = false }: Omit<Drive, 'distances'> = {}): number {
  const places = placesOf(stops, start)
  const [first] = places
  const way = returns && first ? [...places, first] : places
  return way.slice(1).reduce((sum, place, at) => sum + kmBetween(way[at] ?? place, place), 0)
}

/** Days from an instant to the end of a local day, with their fraction; `dayEnd` is the midnight after it. */
export const daysUntil = (now: Date, dayEnd: Date): number =>
  Math.max(0, (dayEnd.getTime() - now.getTime()) / 86_400_000)
