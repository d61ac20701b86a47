import { Group, Text } from '@mantine/core'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Tone } from '#portal/app/theme/theme.ts'

interface Props {
  /** 0 to 100; higher values fill the bar. */
  percent: number | null | undefined
  /** Whether a high level is good (stock, signal) or bad (a cash box, dirt). */
  isFullGood?: boolean
  /** Below (or above, when full is bad) these levels it is a warning, or critical. */
  warnAt?: number
  critAt?: number
  label: string
}

const toneOf = (percent: number, isFullGood: boolean, warnAt: number, critAt: number): Tone => {
  const isPast = (limit: number) => (isFullGood ? percent < limit : percent >= limit)
  return isPast(critAt) ? 'crit' : isPast(warnAt) ? 'warn' : 'ok'
}

/** A fill level: bar, number and colour. */
export function LevelBar({
  percent,
  isFullGood = true,
  warnAt = isFullGood ? 45 : 80,
  critAt = isFullGood ? 25 : 95,
  label,
}: Props) {
  const format = useFormat()
  if (percent === null || percent === undefined) return null
  const tone = toneOf(percent, isFullGood, warnAt, critAt)
  return (
    <Group component="span" gap="snug" wrap="nowrap" display="inline-flex">
      <Text
        span
        display="inline-block"
        w={58}
        h={5}
        bdrs={3}
        bg="var(--sunken)"
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <Text
          span
          display="block"
          h="100%"
          bdrs={3}
          style={{ width: `${Math.min(100, Math.max(3, percent))}%`, background: `var(--${tone})` }}
        />
      </Text>
      <Text span c="dimmed" fz="sm">
        {format.percent(percent / 100)}
      </Text>
    </Group>
  )
}
