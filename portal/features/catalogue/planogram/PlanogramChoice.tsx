import { useTranslation } from 'react-i18next'
import { planograms } from '#contract/catalogue/planogram.ts'
import { AssignedChoice, type AssignedChoiceProps } from '#portal/ui/assigned/AssignedChoice.tsx'

/** One planogram, or none. */
export function PlanogramChoice(props: AssignedChoiceProps) {
  const { t } = useTranslation('planogram')
  return (
    <AssignedChoice
      {...props}
      list={planograms.listPlanograms}
      label={t('assign.label')}
      noneLabel={t('assign.none')}
    />
  )
}
