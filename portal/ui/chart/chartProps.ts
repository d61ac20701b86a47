export type ChartKind = 'bar' | 'line' | 'pie'

export interface Series {
  name: string
  /** One value per category; null leaves a gap. */
  values: readonly (number | null)[]
  /** Differs from the chart's own kind, such as a line over bars. */
  kind?: 'bar' | 'line'
  /** Token of its colour; taken in order otherwise. */
  color?: string
  isDashed?: boolean
}

export interface ChartProps {
  /** Text alternative of the chart, for screen readers. */
  label: string
  kind?: ChartKind
  /** The kinds that the reader may switch between; a single kind has no switch. */
  kinds?: readonly ChartKind[]
  categories: readonly string[]
  /** The unit of the values: `€`, `%`, or the name of the counted thing. */
  unit: string
  /** Heading of the categories in the table. */
  categoryName: string
  series: readonly Series[]
  /** Tokens of the colours of a pie's parts; taken in order otherwise. */
  colors?: readonly string[]
  /** A soft band behind, such as the usual range. */
  band?: { name: string; low: readonly number[]; high: readonly number[] }
  /** Formats a value for axis, tooltip and table. */
  format: (value: number) => string
  /** Formats a value on the axis, where space is scarce. */
  formatShort?: (value: number) => string
  /** Index of the current, incomplete category; its bar is paler. */
  partial?: number
  height?: number
}
