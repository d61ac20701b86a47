import { type ReactNode, useId } from 'react'
import classes from './Segments.module.css'

interface Props<V extends string> {
  /** The name of the choice for screen readers, or the id of the element that names it. */
  name?: string
  labelledBy?: string
  value: V
  options: readonly { value: V; label: ReactNode }[]
  choose: (value: V) => void
}

/** One of a few, side by side. The style sheet alone draws it: nothing is measured while a list is still to show its first rows. */
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
