import { Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WarrantyState } from '#contract/machines/machine.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const looks = {
  valid: { tone: 'ok', mark: 'check' },
  ending: { tone: 'warn', mark: 'clock' },
  ended: { tone: 'mute', mark: 'dash' },
} as const satisfies Record<Exclude<WarrantyState, 'none'>, object>

/** The last day of a warranty, and its status. Nothing without a warranty. */
export function Warranty({ until, state }: { until: string | null; state: WarrantyState }) {
  const { t } = useTranslation('machine')
  const format = useFormat()
  if (until === null || state === 'none') return null
  const { tone, mark } = looks[state]
  return (
    <Flex component="span" rowGap="tight" columnGap="near" wrap="wrap" align="center" display="inline-flex">
      {format.day(until)}
      <Badge tone={tone} mark={mark}>
        {t(`warranty.${state}`)}
      </Badge>
    </Flex>
  )
}
