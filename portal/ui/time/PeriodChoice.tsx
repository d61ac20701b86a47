import { Text } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn, type Period, type PeriodPreset, periodOn } from '#domain/time/period.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Search } from '#portal/app/search.ts'
import { ChoiceButton } from './ChoiceButton.tsx'
import { PeriodPanel, type PeriodValue, usePeriodName } from './PeriodPanel.tsx'
import { periodIn } from './periodIn.ts'
import { isWithin, type PeriodLimits } from './periodLimits.ts'

import { useNow } from './When.tsx'

interface Props {
  value: PeriodValue
  limits: PeriodLimits
  choose: (value: PeriodValue) => void
}

/** A button that names the chosen days and opens the presets beside a calendar. */
export function PeriodChoice({ value, limits, choose }: Props) {
  const { t } = useTranslation('ui')
  const nameOf = usePeriodName()
  return (
    <>
      <ChoiceButton
        isUsed={value.length > 0}
        label={
          <>
            <IconCalendar size={14} aria-hidden />
            <span className={value.length > 0 ? undefined : 'unseen'}>{t('period.name')}</span>
            {value.length > 0 ? <strong>{nameOf(value)}</strong> : t('period.choose')}
          </>
        }
        name={t('period.name')}
      >
        {(close) => (
          <PeriodPanel
            value={value}
            limits={limits}
            choose={(next) => {
              choose(next)
              close()
            }}
          />
        )}
      </ChoiceButton>
      <PeriodRefusal value={value} limits={limits} />
    </>
  )
}

/** Names the days of the address if they do not fit the limits, so that the screen shows others. */
function PeriodRefusal({ value: [start], limits }: Pick<Props, 'value' | 'limits'>) {
  const { t } = useTranslation('ui')
  const nameOf = usePeriodName()
  const [first, last] = periodIn(useAddressQuery())
  if (
    first === undefined ||
    last === undefined ||
    first === start ||
    isWithin({ startDate: first, endDate: last }, limits)
  )
    return null
  const facts = { dates: nameOf([first, last]), least: limits.minDays, most: limits.maxDays }
  return (
    <Text role="alert" span c="warn" fz="sm">
      {t('period.outside', facts)}
    </Text>
  )
}

/** The period that the address names, if it fits the limits, as its words and as its days; \`set\` writes another beside \`more\`. */
export function usePeriodSearch(limits: PeriodLimits) {
  const search = useAddressQuery()
  const go = useGo()
  const { timeZone } = useMerchant()
  const today = dayIn(useNow(), timeZone)
  const [first, last] = periodIn(search)
  const current = useMemo((): { value: PeriodValue; period: Period | undefined } => {
    if (first === undefined) return { value: [], period: undefined }
    const value = (last === undefined ? [first] : [first, last]) as PeriodValue
    const period = last === undefined ? periodOn(first as PeriodPreset, today) : { startDate: first, endDate: last }
    return isWithin(period, limits) ? { value, period } : { value: [], period: undefined }
  }, [first, last, today, limits])
  const set = (choice: PeriodValue, more: Search = {}) => {
    const [start, end] = choice
    const written = {
      period: end ? undefined : start,
      startDate: end ? start : undefined,
      endDate: end,
    }
    void go({ here: { ...more, ...written } }, { replace: true, resetScroll: false })
  }
  return { ...current, today, set }
}
