import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { comparedPeriods, meanOver } from '#domain/time/comparison.ts'
import { dayIn, periodOn } from '#domain/time/period.ts'
import { wireInstant } from '#portal/app/i18n/format.ts'
import { ComparisonChoice, useComparisonSearch } from '#portal/ui/time/ComparisonChoice.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Change, useComparedWith } from '#portal/ui/value/Change.tsx'
import { Part, Row, Table } from './Part.tsx'

const minute = 60_000
/** Milliseconds from now. */
const distances = {
  now: 0,
  minutes: -32 * minute,
  hours: -5 * 60 * minute,
  days: -9 * 1440 * minute,
  years: -800 * 1440 * minute,
  future: 90 * minute,
} as const

/** Near and distant times, missing times, and a zone other than the merchant's. */
export function TimeSection() {
  const { t } = useTranslation('kit')
  const [now] = useState(Date.now)
  const instants: [string, string | null][] = [
    ...Object.entries(distances).map(([name, away]): [string, string] => [
      t(`time.${name as keyof typeof distances}`),
      wireInstant(new Date(now + away)),
    ]),
    ['null', null],
    ['0001-01-01', '0001-01-01T00:00:00'],
  ]
  return (
    <>
      <Table
        caption={t('section.time')}
        heads={[
          { name: t('time.of') },
          { name: t('time.relative') },
          { name: t('time.exact') },
          { name: t('time.minute') },
          { name: t('time.day') },
          { name: 'Asia/Tokyo' },
        ]}
        rows={instants.map(([name, at]) => ({
          key: name,
          cells: [
            name,
            <When key="relative" at={at} />,
            <When key="exact" at={at} as="exact" />,
            <When key="minute" at={at} as="minute" />,
            <When key="day" at={at} as="day" />,
            <When key="zone" at={at} as="exact" timeZone="Asia/Tokyo" />,
          ],
        }))}
      />
      <ComparisonExample />
    </>
  )
}

/** This week against the comparison that the address names. */
function ComparisonExample() {
  const { t } = useTranslation('list')
  const { comparison, set } = useComparisonSearch()
  const comparedWith = useComparedWith()
  const week = periodOn('thisWeek', dayIn(new Date(), 'UTC'))
  const periods = comparison ? comparedPeriods(comparison, week, 'thisWeek') : []
  const before = meanOver(
    periods.map((_, index) => 80 + index),
    periods.length,
  )
  return (
    <Part caption={t('compare.name')}>
      <Row>
        <ComparisonChoice value={comparison} choose={set} />
        {comparison && (
          <span>
            <Change value={100} before={before} /> <Change value={100} before={before} isLessBetter />{' '}
            <Change value={100} before={0} /> {comparedWith(comparison, periods)}
          </span>
        )}
      </Row>
    </Part>
  )
}
