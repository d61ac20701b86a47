import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CashAcceptance, noVersion, type Taken } from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import numbers from '../../../ui/chart/numberTable.module.css'
import { BandBadge } from './BandBadge.tsx'
import classes from './DistributorKpis.module.css'
import { Trend } from './Trend.tsx'
import { useKpiWords } from './useKpiWords.ts'
import { useMachinesPlace } from './useMachinesPlace.ts'

const dimensions = ['validator', 'denomination', 'deviceType', 'firmware'] as const
type Dimension = (typeof dimensions)[number]

interface Part extends Taken {
  before: Taken
  name: string
  /** The filter of its machines. */
  filter: Record<string, string>
}

const rateOf = (taken: Taken) => {
  const rate = rejectionRate(taken)
  return rate === null ? null : rate / 100
}

/** Rejections by a dimension, the worst first; each leads to its machines. */
export function Breakdown({ cash }: { cash: CashAcceptance }) {
  const { t } = useTranslation('distributor-kpis')
  const format = useFormat()
  const words = useKpiWords()
  const place = useMachinesPlace()
  const [by, setBy] = useState<Dimension>('validator')
  const partsOf: Record<Dimension, () => Part[]> = {
    validator: () =>
      cash.byValidator.map((part) => ({
        ...part,
        name: words.validator(part.validator, part.version),
        filter: { validators: `${part.validator}:${part.version ?? noVersion}` },
      })),
    denomination: () =>
      cash.byDenomination.map((part) => ({
        ...part,
        name: format.money(part.denomination, part.currency),
        filter: { denominations: `${part.currency}:${part.denomination}` },
      })),
    deviceType: () =>
      cash.byDeviceType.map((part) => ({
        ...part,
        name: deviceTypeNames[part.deviceType as keyof typeof deviceTypeNames] ?? part.deviceType,
        filter: { deviceTypes: part.deviceType },
      })),
    firmware: () =>
      cash.byFirmware.map((part) => ({
        ...part,
        name: part.firmwareVersion ?? t('unknown'),
        filter: { firmwareVersions: part.firmwareVersion ?? noVersion },
      })),
  }
  const parts = partsOf[by]()
  return (
    <Card title={t('breakdown.title')}>
      <Segments
        name={t('breakdown.by')}
        value={by}
        choose={setBy}
        options={dimensions.map((value) => ({ value, label: t(`breakdown.${value}`) }))}
      />
      {parts.length === 0 ? (
        <p className={classes.nothing}>{t('noData')}</p>
      ) : (
        <div className={classes.scroll} role="group" tabIndex={0} aria-label={t('breakdown.title')}>
          <table className={numbers.table}>
            <caption className="unseen">{t('breakdown.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t(`breakdown.${by}`)}</th>
                <th scope="col" className={classes.wide}>
                  {t('column.accepted')}
                </th>
                <th scope="col">{t('column.rejected')}</th>
                <th scope="col">{t('trend')}</th>
                <th scope="col">{t('rejections')}</th>
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={part.name}>
                  <th scope="row">
                    <PlaceLink place={place(part.filter)} className={classes.link ?? ''}>
                      {part.name}
                    </PlaceLink>
                  </th>
                  <td className={classes.wide}>{format.number(part.accepted)}</td>
                  <td>{format.number(part.rejected)}</td>
                  <td>
                    <Trend kind="share" now={rateOf(part)} before={rateOf(part.before)} />
                  </td>
                  <td>
                    <BandBadge taken={part} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
