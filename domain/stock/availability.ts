import { type Move, type SoldOutTime, soldOutTimes } from './forecast/shown.ts'

/** A selection of a machine whose stock is managed. */
export interface ServedSelection {
  /** Its balance now, and its movements since the first day. */
  balance: number
  moves: readonly Move[]
  /** When its books were opened; what was before is unknown. Null: never. */
  openedAt: number | null
  /** The end of its service, such as when it left the planogram; null: it is in service. */
  endedAt: number | null
}

/** Minutes of a selection on a day: in service, and of these without pieces to sell. */
export interface ServiceDay {
  minutes: number
  soldOut: number
}

const minuteMs = 60_000

const overlapOf = ({ from, to }: SoldOutTime, start: number, end: number): number =>
  Math.max(0, Math.min(to, end) - Math.max(from, start))

/**
 * How long a selection was in service and sold out on each day. It is in service while its books are open, whatever its machine does. `starts` are the beginnings of
 * the days, and the end of the last one.
 */
export function serviceDaysOf(selection: ServedSelection, starts: readonly number[], now: number): ServiceDay[] {
  const { balance, moves, openedAt, endedAt } = selection
  const first = starts[0] ?? now
  const openings = moves.filter(({ isOpening }) => isOpening).map(({ at }) => at)
  const from = openedAt === null ? now : Math.max(first, openedAt, ...openings)
  const service = { from, to: Math.max(from, endedAt ?? now) }
  const times = openedAt === null ? [] : soldOutTimes(balance, moves, from, now)
  return starts.slice(0, -1).map((start, day) => {
    const end = starts[day + 1] ?? start
    const served = overlapOf(service, start, end)
    const out = times.reduce(
      (sum, time) => sum + overlapOf(time, Math.max(start, service.from), Math.min(end, service.to)),
      0,
    )
    const minutes = Math.round(served / minuteMs)
    return { minutes, soldOut: Math.min(minutes, Math.round(out / minuteMs)) }
  })
}
