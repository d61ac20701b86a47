import { type ReactNode, useId } from 'react'
import classes from './Segments.module.css'

interface Props<V extends string> {
  /** The name of the choice for screen readers, or the id of the element that names it. */
  name?: string
  labelledBy?: string
  value: V | undefined
  options: readonly { value: V; label: ReactNode }[]
  choose: (value: V) => void
}

/**
 * One of a few choices, side by side. Drawn by the style sheet alone: nothing is measured before a list's first rows
 * show.
 */
export function Segments<V extends string>({ name, labelledBy, value, options, choose }: Props<V>) {
  const group = useId()
  return (
    <div className={classes.segments} role="radiogroup" aria-label={name} aria-labelledby={labelledBy}>
      {options.map(({ value: one, label }) => (
        <label key={one} className={classes.segment}>
          <input className="unseen" type="radio" name={group} checked={one === value} onChange={() => choose(one)} />
          {label}
        </label>
      ))}
    </div>
  )
}
