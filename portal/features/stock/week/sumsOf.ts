import type { WeekStop } from '#contract/stock/week-plan.ts'

/** Sums of some stops. `lostSales`: minor units that they avoid. */
export const sumsOf = (stops: readonly WeekStop[]) => ({
  stops: stops.length,
  pieces: stops.reduce((sum, stop) => sum + stop.pieces, 0),
  lostSales: stops.reduce((sum, stop) => sum + stop.skipCost, 0),
})
