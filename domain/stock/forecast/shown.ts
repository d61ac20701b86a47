/** A movement of a selection's books. */
export interface Move {
  at: number
  amount: number
  isSale: boolean
  /** It opened the books: what was there before is unknown. */
  isOpening: boolean
}

/** A time without pieces, its end excluded. */
export interface SoldOutTime {
  from: number
  to: number
}

/**
 * When a selection had nothing to sell, by its balance now and its movements since a time. One that still sells, below what was booked, was not sold out.
 */
export function soldOutTimes(balance: number, moves: readonly Move[], since: number, now: number): SoldOutTime[] {
  const times: SoldOutTime[] = []
  let level = balance
  let to = now
  let isBeyond = false
  for (const move of moves.toSorted((one, other) => other.at - one.at)) {
    if (move.at < since) break
    if (level <= 0 && !isBeyond && move.at < to) times.push({ from: move.at, to })
    if (move.isOpening) return times.reverse()
    level -= move.amount
    isBeyond = level <= 0 && (isBeyond || move.isSale)
    to = move.at
  }
  if (level <= 0 && !isBeyond && since < to) times.push({ from: since, to })
  return times.reverse()
}

/** The clock counts as much as so many sales of the machine, which show when its customers come. */
const clockSales = 3

/**
 * The share of each day's customers who found pieces. `starts` are the beginnings of the days, and the end of the last one; `sales` are the times of all sales of
 * the machine, which say when its customers come.
 */
export function shownShares(
  times: readonly SoldOutTime[],
  starts: readonly number[],
  sales: readonly number[],
): number[] {
  const isOut = (at: number) => times.some(({ from, to }) => at >= from && at < to)
  return starts.slice(0, -1).map((from, day) => {
    const to = starts[day + 1] ?? from
    const out = times.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0)
    if (out <= 0) return 1
    const ofDay = sales.filter((at) => at >= from && at < to)
    const missed = ofDay.filter(isOut).length
    return 1 - (missed + (clockSales * out) / (to - from)) / (ofDay.length + clockSales)
  })
}
