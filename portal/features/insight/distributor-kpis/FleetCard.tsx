import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type FleetDowntime, type FleetMcbf, noVersion } from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import classes from './DistributorKpis.module.css'
import { Trend } from './Trend.tsx'
import { shareOf, useKpiWords } from './useKpiWords.ts'
import { useMachinesPlace } from './useMachinesPlace.ts'

const dimensions = ['deviceType', 'firmware'] as const

/** Downtime and MCBF by model or firmware, the most downtime first; each leads to its machines. */
export function FleetCard({ down, mcbf }: { down: FleetDowntime; mcbf: FleetMcbf }) {
  const { t } = useTranslation('distributor-kpis')
  const words = useKpiWords()
  const place = useMachinesPlace()
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
    <Card title={t('fleet.title')}>
      <Segments
        name={t('breakdown.by')}
        value={by}
        choose={setBy}
        options={dimensions.map((value) => ({ value, label: t(`breakdown.${value}`) }))}
      />
      {parts.length === 0 ? (
        <p className={classes.nothing}>{t('empty.text')}</p>
      ) : (
        <div className={classes.scroll} role="group" tabIndex={0} aria-label={t('fleet.title')}>
          <table className={numbers.table}>
            <caption className="unseen">{t('fleet.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t(`breakdown.${by}`)}</th>
                <th scope="col">{t('downtime')}</th>
                <th scope="col" className={classes.wide}>
                  {t('trend')}
                </th>
                <th scope="col">{t('absence')}</th>
                <th scope="col">{t('mcbf')}</th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ part, name, filter, began }) => (
                <tr key={name}>
                  <th scope="row">
                    <PlaceLink
                      place={place({ ...filter, ord: 'blocked', ordType: 'DESC' })}
                      className={classes.link ?? ''}
                    >
                      {name}
                    </PlaceLink>
                  </th>
                  <td>{words.blocked(part)}</td>
                  <td className={classes.wide}>
                    <Trend
                      kind="share"
                      now={shareOf(part.blockedSeconds, part.seconds)}
                      before={shareOf(part.before.blockedSeconds, part.before.seconds)}
                    />
                  </td>
                  <td>{words.absent(part)}</td>
                  <td>{began ? words.mcbf(began) : t('none')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
