interface Props {
  values: readonly number[]
  /** A token: `gold-fill` by default. */
  color?: string
  width?: number
  height?: number
  /** Text alternative of the drawing; without it the drawing is decoration. */
  label?: string
}

/** The path of a line through values, in a box; a flat line is in its middle. */
export function sparkPath(values: readonly number[], width: number, height: number): string {
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number) => (span === 0 ? height / 2 : 1.5 + (1 - (value - low) / span) * (height - 3))
  return values
    .map((value, index) => `${index === 0 ? 'M' : 'L'}${(index * step).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('')
}

/** A small line without axes: the trend of the last days. */
export function Sparkline({ values, color = 'gold-fill', width = 92, height = 26, label }: Props) {
  if (values.length < 2) return <span style={{ display: 'inline-block', width, height }} />
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role={label ? 'img' : 'presentation'}
      aria-label={label}
      style={{ display: 'block', overflow: 'visible' }}
    >
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke={`var(--${color})`}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
