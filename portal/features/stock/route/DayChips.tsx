import { Chip, Flex } from '@mantine/core'
import { useFormat } from '#portal/app/i18n/format.ts'
import { weekdays } from '#portal/ui/time/clock.ts'

interface Props {
  label: string
  days: readonly number[]
  /** Days that can be chosen; without it all. */
  among?: readonly number[]
  set: (days: number[]) => void
  isFixed: boolean
}

/** Weekdays, each on or off. */
export function DayChips({ label, days, among, set, isFixed }: Props) {
  const format = useFormat()
  return (
    <Flex component="fieldset" gap="tight" wrap="wrap" aria-label={label}>
      <Chip.Group
        multiple
        value={days.map(String)}
        onChange={(chosen) => set(chosen.map(Number).toSorted((one, other) => one - other))}
      >
        {weekdays(format.locale).map((name, at) => (
          <Chip
            key={name}
            value={String(at + 1)}
            size="xs"
            disabled={isFixed || (among !== undefined && !among.includes(at + 1) && !days.includes(at + 1))}
          >
            {name}
          </Chip>
        ))}
      </Chip.Group>
    </Flex>
  )
}
