import { Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { VisitReason } from '#contract/stock/round.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Round.module.css'
import { reasonTones } from './roundLooks.ts'

/** Why a machine is worth a visit, most urgent first. */
export function Reasons({ reasons }: { reasons: readonly VisitReason[] }) {
  const { t } = useTranslation('round')
  const format = useFormat()
  const nameOf = useAlarmName()
  return (
    <Flex component="span" gap="tight" wrap="wrap" className={classes.reasons}>
      {reasons.map(({ kind, value, code }) => (
        <Badge key={kind} tone={reasonTones[kind]} mark={reasonTones[kind] === 'mute' ? 'dot' : 'triangle'}>
          {t(`reason.${kind}`, {
            count: value ?? 0,
            number: format.number(value ?? 0),
            code: code === null ? '' : nameOf(code),
          })}
        </Badge>
      ))}
    </Flex>
  )
}
