import { useTranslation } from 'react-i18next'
import { planograms } from '#contract/catalogue/planogram.ts'
import { useRecordFilter } from '#portal/ui/list/filters/useRecordFilter.ts'

const rows = { list: planograms.listPlanograms, get: planograms.getPlanogram, param: 'planogramId' }

/** A filter by one planogram, for users who may see planograms. */
export function usePlanogramFilter(isEnabled: boolean) {
  const { t } = useTranslation('shell')
  return useRecordFilter(rows, { key: 'planogramId', kind: 'select', name: t('screens.planogram') }, isEnabled)
}
