import { Box, Flex, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { periodPresets } from '#contract/frame/period.ts'
import { type Period, type PeriodPreset, periodOf } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { lazyPart, Part } from '../part/lazyPart.tsx'
import classes from './PeriodPanel.module.css'
import { isWithin, type PeriodLimits } from './periodLimits.ts'

const Calendar = lazyPart(() => import('./PeriodCalendar.tsx'))

/** A preset's name, two calendar days, or nothing. */
export type PeriodValue = [] | [PeriodPreset] | [startDate: string, endDate: string]

const isDays = (value: readonly string[]): value is [string, string] => value.length === 2

/** The days of a choice, in the merchant's zone. */
export const daysOf = (value: readonly string[], timeZone: string, now = new Date()): Period =>
  isDays(value)
    ? { startDate: value[0], endDate: value[1] }
    : periodOf((value[0] ?? 'today') as PeriodPreset, now, timeZone)

/** The choice as text. */
export function usePeriodName() {
  const { t } = useTranslation('ui')
  const format = useFormat()
  return useMemo(
    () => (value: readonly string[]) => {
      if (isDays(value))
        return value[0] === value[1] ? format.day(value[0]) : `${format.day(value[0])} – ${format.day(value[1])}`
      return value[0] ? t(`period.${value[0]}`) : ''
    },
    [t, format],
  )
}

/** Presets beside a calendar; for days that may be in the future, only the calendar. */
export function PeriodPanel({
  value,
  choose,
  limits,
  isAhead = false,
}: {
  value: PeriodValue
  limits?: PeriodLimits | undefined
  isAhead?: boolean | undefined
  choose: (value: [PeriodPreset] | [string, string]) => void
}) {
  const { t } = useTranslation('ui')
  const { timeZone } = useMerchant()
  return (
    <Flex className={classes.panel}>
      {!isAhead && (
        <div className={classes.presets}>
          {periodPresets.map((preset) => (
            <button
              key={preset}
              type="button"
              className={`${classes.preset} lights`}
              disabled={limits && !isWithin(daysOf([preset], timeZone), limits)}
              aria-pressed={value.length === 1 && value[0] === preset}
              onClick={() => choose([preset])}
            >
              {t(`period.${preset}`)}
            </button>
          ))}
        </div>
      )}
      <Box pt="xs" pb="near" px="sm" className={classes.calendar}>
        <Part fallback={<Box w={210} h={226} />}>
          <Calendar
            period={value.length > 0 ? daysOf(value, timeZone) : undefined}
            timeZone={timeZone}
            isAhead={isAhead}
            limits={limits}
            choose={choose}
          />
        </Part>
        <Text mt="near" c="faint" fz="xs" ta="center">
          {limits && `${t('period.limits', { least: limits.minDays, most: limits.maxDays })}. `}
          {t('period.zone', { zone: timeZone })}
        </Text>
      </Box>
    </Flex>
  )
}
