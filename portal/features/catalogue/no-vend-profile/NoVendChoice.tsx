import { useTranslation } from 'react-i18next'
import { noVendProfiles } from '#contract/catalogue/no-vend-profile.ts'
import { AssignedChoice, type AssignedChoiceProps } from '#portal/ui/assigned/AssignedChoice.tsx'

/** One no-vend profile, or none. */
export function NoVendChoice(props: AssignedChoiceProps) {
  const { t } = useTranslation('machine-act')
  return (
    <AssignedChoice
      {...props}
      list={noVendProfiles.listNoVendProfiles}
      label={t('noVend.label')}
      noneLabel={t('noVend.none')}
    />
  )
}
