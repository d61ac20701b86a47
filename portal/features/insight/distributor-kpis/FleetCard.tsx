import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FleetDowntime, type FleetMcbf, noVersion } from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { PartsCard } from './PartsCard.tsx'
import { Trend } from './Trend.tsx'
import { shareOf, useKpiWords } from './useKpiWords.ts'

const dimensions = ['deviceType', 'firmware'] as const

/** Downtime and MCBF by model or firmware, the most downtime first; each leads to its machines. */
export function FleetCard({ down, mcbf }: { down: FleetDowntime; mcbf: FleetMcbf }) {
  const { t } = useTranslation('distributor-kpis')
  const words = useKpiWords()
  const [by, setBy] = useState<(typeof dimensions)[number]>('deviceType')
  const parts =
    by === 'deviceType'
      ? down.byDeviceType.map((part) => ({
          part,
          name: deviceTypeNames[part.deviceType as keyof typeof deviceTypeNames] ?? part.deviceType,
          filter: { deviceTypes: part.deviceType },
          began: mcbf.byDeviceType.find(({ deviceType }) => deviceType === part.deviceType),
        }))
      : down.byFirmware.map((part) => ({
          part,
          name: part.firmwareVersion ?? t('unknown'),
          filter: { firmwareVersions: part.firmwareVersion ?? noVersion },
          began: mcbf.byFirmware.find(({ firmwareVersion }) => firmwareVersion === part.firmwareVersion),
        }))
  return (
    <PartsCard
      title={t('fleet.title')}
      empty={t('empty.text')}
      dimensions={dimensions}
      by={by}
      setBy={setBy}
      parts={parts.map((one) => ({ ...one, filter: { ...one.filter, ord: 'blocked', ordType: 'DESC' } }))}
      columns={[
        { name: t('downtime'), cell: ({ part }) => words.blocked(part) },
        {
          name: t('trend'),
          isWide: true,
          cell: ({ part }) => (
            <Trend
              kind="share"
              now={shareOf(part.blockedSeconds, part.seconds)}
              before={shareOf(part.before.blockedSeconds, part.before.seconds)}
            />
          ),
        },
        { name: t('absence'), cell: ({ part }) => words.absent(part) },
        { name: t('mcbf'), cell: ({ began }) => (began ? words.mcbf(began) : t('none')) },
      ]}
    />
  )
}
