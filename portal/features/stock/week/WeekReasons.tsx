import { Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { WeekReason, WeekReasonKind } from '#contract/stock/week-plan.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { shortDay } from './shortDay.ts'
import classes from './Week.module.css'

/** What costs money, what is about to, and what is only good to know. */
const tones = {
  soldOut: 'crit',
  empty: 'warn',
  lostSales: 'warn',
  cashFull: 'warn',
  promised: 'info',
  broughtForward: 'mute',
  nearRoute: 'mute',
} as const satisfies Record<WeekReasonKind, string>

/** Why a machine is visited, most urgent first. */
export function WeekReasons({ reasons, currency }: { reasons: readonly WeekReason[]; currency: Currency }) {
  const { t } = useTranslation('week-plan')
  const format = useFormat()
  return (
    <Flex component="span" gap="tight" wrap="wrap" className={classes.reasons}>
      {reasons.map(({ kind, day, amount, km }) => (
        <Badge key={kind} tone={tones[kind]} mark={tones[kind] === 'mute' ? 'dot' : 'triangle'}>
          {t(`reason.${kind}`, {
            day: day === null ? '' : shortDay(day, format.locale),
            amount: amount === null ? '' : format.money(amount, currency),
            number: km === null ? '' : format.number(km),
          })}
        </Badge>
      ))}
    </Flex>
  )
}
