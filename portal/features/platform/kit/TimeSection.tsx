import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wireInstant } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Table } from './Part.tsx'

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
  )
}
