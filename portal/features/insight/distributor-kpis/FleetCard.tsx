import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Began,
  type Down,
  type FleetDowntime,
  type FleetMcbf,
  noVersion,
} from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { PartsCard } from './PartsCard.tsx'
import { Trend } from './Trend.tsx'
import { shareOf, useKpiWords } from './useKpiWords.ts'

const dimensions = ['deviceType', 'firmware'] as const

const blockedOf = ({ blockedSeconds, seconds }: Pick<Down, 'blockedSeconds' | 'seconds'>) =>
  shareOf(blockedSeconds, seconds)

/** Cycles between failures; without a failure more than any other. */
const meanOf = (began: Pick<Began, 'cycles' | 'faults'> | undefined) => {
  if (!began || (began.cycles === 0 && began.faults === 0)) return null
  return began.faults === 0 ? Number.MAX_SAFE_INTEGER : began.cycles / began.faults
}

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
        { name: t('downtime'), value: ({ part }) => blockedOf(part), cell: ({ part }) => words.blocked(part) },
        {
          name: t('trend'),
          isWide: true,
          value: ({ part }) => {
            const [now, before] = [blockedOf(part), blockedOf(part.before)]
            return now === null || before === null ? null : now - before
          },
          cell: ({ part }) => <Trend kind="share" now={blockedOf(part)} before={blockedOf(part.before)} />,
        },
        {
          name: t('absence'),
          value: ({ part }) => shareOf(part.absentSeconds, part.seconds),
          cell: ({ part }) => words.absent(part),
        },
        {
          name: t('mcbf'),
          value: ({ began }) => meanOf(began),
          cell: ({ began }) => (began ? words.mcbf(began) : t('none')),
        },
      ]}
    />
  )
}
