import type { KeyboardEvent } from 'react'

const steps = {
  row: { ArrowLeft: -1, ArrowRight: 1 },
  column: { ArrowUp: -1, ArrowDown: 1 },
}

/** Arrows move the focus between the elements of a row or column, Home and End to its ends. */
export function moveFocus(event: KeyboardEvent<HTMLElement>, selector: string, along: keyof typeof steps) {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = all.indexOf(event.target as HTMLElement)
  const step = (steps[along] as Record<string, number>)[event.key]
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? -1 : step === undefined ? undefined : at + step
  if (next === undefined || at < 0) return
  event.preventDefault()
  all.at(next % all.length)?.focus()
}
