import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tone } from '#portal/app/theme/theme.ts'
import classes from './StatusBadge.module.css'

export type Mark = 'dot' | 'ring' | 'triangle' | 'check' | 'cross' | 'clock' | 'half' | 'dash'

/** A state's appearance: colour, icon and word together. Each table is total over its vocabulary. */
export interface Appearance {
  tone: Tone
  mark: Mark
  /** Key of its word, with its file: `vocabulary:machineState.blocked`. */
  word: string
}

const marks: Record<Mark, ReactNode> = {
  dot: <circle cx="5" cy="5" r="3.6" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  triangle: <path d="M5 1 9.4 9H.6z" fill="currentColor" />,
  check: <path d="m1.6 5.4 2.3 2.4 4.5-5.4" fill="none" stroke="currentColor" strokeWidth="1.9" />,
  cross: <path d="m2 2 6 6M8 2 2 8" fill="none" stroke="currentColor" strokeWidth="1.9" />,
  clock: (
    <path
      d="M5 .9a4.1 4.1 0 1 0 0 8.2A4.1 4.1 0 0 0 5 .9M5 3v2.2l1.6 1"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
    />
  ),
  half: (
    <>
      <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5 1.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor" />
    </>
  ),
  dash: <path d="M1.5 5h7" stroke="currentColor" strokeWidth="2" />,
}

/** The icon alone, where the word is nearby. */
export const StatusMark = ({ mark, tone }: { mark: Mark; tone: Tone }) => (
  <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" style={{ color: `var(--${tone})`, flex: 'none' }}>
    {marks[mark]}
  </svg>
)

/** A badge with free text in a tone. */
export const Badge = ({
  tone,
  mark,
  children,
  title,
}: {
  tone: Tone
  mark?: Mark
  children: ReactNode
  title?: string
}) => (
  <span className={classes.badge} style={{ background: `var(--${tone}-soft)`, color: `var(--${tone})` }} title={title}>
    {mark && <StatusMark mark={mark} tone={tone} />}
    {children}
  </span>
)

interface Props<V extends string | number> {
  /** The appearance table of the value's vocabulary. */
  of: Record<V, Appearance>
  value: V
  /** Shown after the word, such as a duration: "Blocked 32 min". */
  detail?: ReactNode
}

/** A state, with the same appearance everywhere. */
export function StatusBadge<V extends string | number>({ of, value, detail }: Props<V>) {
  const { t } = useTranslation('vocabulary')
  const { tone, mark, word } = of[value]
  return (
    <Badge tone={tone} mark={mark}>
      {t(word)}
      {detail !== undefined && <span>{detail}</span>}
    </Badge>
  )
}
