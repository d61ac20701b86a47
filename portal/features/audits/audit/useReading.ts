import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditContent, Tally } from '#contract/audits/audit-content.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { writeAuditAmount } from './auditAmount.ts'

/** Formats the values of an audit; an unreported value is empty. */
export function useReading(money: AuditContent['money']) {
  const { t } = useTranslation('audit')
  const format = useFormat()
  return useMemo(() => {
    const amount = (value: number | null) => writeAuditAmount(value, money, format.number, format.money)
    const count = (value: number | null) => (value === null ? undefined : format.number(value))
    return {
      t,
      amount,
      count,
      /** The machine's own clock, which may be years off: shown as reported, in no zone. */
      time: (at: string | null) =>
        at === null
          ? undefined
          : at.includes('T')
            ? format.instant(new Date(`${at}Z`), 'exact', 'UTC')
            : format.day(at),
      /** Value and count of both halves of a counter, in four cells. */
      halves: (of: { sinceInitialisation: Tally; sinceReset: Tally }) => [
        amount(of.sinceInitialisation.value),
        count(of.sinceInitialisation.count),
        amount(of.sinceReset.value),
        count(of.sinceReset.count),
      ],
      halfHeads: [
        { name: t('head.value'), align: 'end' },
        { name: t('head.count'), align: 'end' },
        { name: t('head.valueSinceReset'), align: 'end' },
        { name: t('head.countSinceReset'), align: 'end' },
      ] as const,
    }
  }, [t, format, money])
}
