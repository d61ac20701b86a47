const minute = 60
const hour = 60 * minute

/** Allowed steps of a series, in seconds: common clock units. */
const steps = [
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
] as const

/** The shortest step in seconds that keeps a period within the maximum number of points. */
export const readingStep = (fromMs: number, toMs: number, points: number): number =>
  steps.find((step) => (toMs - fromMs) / 1000 / step <= points) ?? 24 * hour
