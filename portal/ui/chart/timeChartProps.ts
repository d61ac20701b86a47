/** The measurement of a time step. `at` is the merchant's clock time, in milliseconds as if it were UTC. */
export interface TimePoint {
  at: number
  min: number
  max: number
  avg: number
}

export interface TimeChartProps {
  /** Text alternative of the chart, for screen readers. */
  label: string
  points: readonly TimePoint[]
  /** The largest distance in milliseconds of points joined by a line. */
  gap: number
  /** The whole period, and its visible part, by the merchant's clock. */
  from: number
  to: number
  window: readonly [from: number, to: number]
  /** Called when the user selects another part with the mouse or a finger. */
  onWindow: (from: number, to: number) => void
  /** Horizontal lines: the lower and upper limit; `color` is a token, the critical one by default. */
  limits: readonly { name: string; value: number; color?: string }[]
  /** Names of the mean and of the range between lowest and highest. */
  names: { avg: string; range: string }
  format: (value: number) => string
  /** Formats a time by the merchant's clock. */
  formatTime: (at: number) => string
  /** Bounds of the axis; by default those of the visible values. */
  low?: number
  high?: number
  height?: number
}
