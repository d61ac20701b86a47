import { useTranslation } from 'react-i18next'
import type { Taken } from '#contract/insight/distributor-kpis.ts'
import { rejectionBand, rejectionRate } from '#domain/cash/rejection.ts'
import { bandLooks } from '#portal/features/insight/kpi/bandLooks.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import { useKpiWords } from './useKpiWords.ts'

/** A rejection rate with the colour of its band; `isWord`: the band's name alone. */
export function BandBadge({ counts, isWord = false }: { counts: Taken; isWord?: boolean }) {
  const { t } = useTranslation('kpi')
  const words = useKpiWords()
  const band = rejectionBand(rejectionRate(counts))
  if (isWord || band === 'none') return <Badge {...bandLooks[band]}>{t(`band.${band}`)}</Badge>
  return (
    <>
      <Badge {...bandLooks[band]}>{words.rate(counts)}</Badge>
      <span className="unseen">{t(`band.${band}`)}</span>
    </>
  )
}
