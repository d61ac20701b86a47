import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CashAcceptance, noVersion, type Taken } from '#contract/insight/distributor-kpis.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { rejectionRate } from '#domain/cash/rejection.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { BandBadge } from './BandBadge.tsx'
import { PartsCard } from './PartsCard.tsx'
import { Trend } from './Trend.tsx'
import { useKpiWords } from './useKpiWords.ts'

const dimensions = ['validator', 'denomination', 'deviceType', 'firmware'] as const
type Dimension = (typeof dimensions)[number]

interface Part extends Taken {
  before: Taken
  name: string
  /** The filter of its machines. */
  filter: Record<string, string>
}

const rateOf = (counts: Taken) => {
  const rate = rejectionRate(counts)
  return rate === null ? null : rate / 100
}

const changeOf = (now: number | null, before: number | null) => (now === null || before === null ? null : now - before)

/** Rejections by a dimension, the worst first; each leads to its machines. */
export function Breakdown({ cash }: { cash: CashAcceptance }) {
  const { t } = useTranslation('distributor-kpis')
  const format = useFormat()
  const words = useKpiWords()
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
  const all = parts.reduce(
    (sum, { accepted, rejected }) => ({ accepted: sum.accepted + accepted, rejected: sum.rejected + rejected }),
    { accepted: 0, rejected: 0 },
  )
  return (
    <PartsCard
      title={t('breakdown.title')}
      empty={t('noData')}
      dimensions={dimensions}
      by={by}
      setBy={setBy}
      parts={parts}
      columns={[
        {
          name: t('column.accepted'),
          isWide: true,
          value: (part) => part.accepted,
          cell: (part) => format.number(part.accepted),
          total: format.number(all.accepted),
        },
        {
          name: t('column.rejected'),
          value: (part) => part.rejected,
          cell: (part) => format.number(part.rejected),
          total: format.number(all.rejected),
        },
        {
          name: t('trend'),
          value: (part) => changeOf(rateOf(part), rateOf(part.before)),
          cell: (part) => <Trend kind="share" now={rateOf(part)} before={rateOf(part.before)} />,
        },
        {
          name: t('rejections'),
          value: rateOf,
          cell: (part) => <BandBadge counts={part} />,
          total: <BandBadge counts={all} />,
        },
      ]}
    />
  )
}
