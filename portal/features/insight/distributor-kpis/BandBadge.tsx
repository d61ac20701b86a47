import { useTranslation } from 'react-i18next'
import type { Taken } from '#contract/insight/distributor-kpis.ts'
import { rejectionBand, rejectionRate } from '#domain/cash/rejection.ts'
import { bandLooks } from '#portal/features/insight/kpi/bandLooks.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { useKpiWords } from './useKpiWords.ts'

/** A rejection rate with the colour of its band. */
export function BandBadge({ taken }: { taken: Taken }) {
  const { t } = useTranslation('kpi')
  const words = useKpiWords()
  const band = rejectionBand(rejectionRate(taken))
  return (
    <>
      <Badge {...bandLooks[band]}>{band === 'none' ? t('band.none') : words.rate(taken)}</Badge>
      {band !== 'none' && <span className="unseen">{t(`band.${band}`)}</span>}
    </>
  )
}
