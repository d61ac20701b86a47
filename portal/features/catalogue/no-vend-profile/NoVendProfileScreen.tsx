import { useTranslation } from 'react-i18next'
import { NoVendProfileBlockers, noVendProfiles } from '#contract/catalogue/no-vend-profile.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { machinesInUse } from '#portal/ui/assigned/machinesInUse.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'

const tabs = {
  details: '/manage/no-vend-profiles/$noVendProfileId',
  machines: '/manage/no-vend-profiles/$noVendProfileId/pos',
}

/** A no-vend profile: withheld products and times, and its machines. */
export default function NoVendProfileScreen() {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const number = (count: number) => ({ count, number: format.number(count) })
  return (
    <RecordPage
      get={noVendProfiles.getNoVendProfile}
      param="noVendProfileId"
      words="no-vend-profile"
      remove={noVendProfiles.deleteNoVendProfile}
      inUse={machinesInUse('NoVendProfileInUse', NoVendProfileBlockers)}
      list="/manage/no-vend-profiles"
      subtitle={({ machines, machinesInSync }) => [
        t('summary.machines', number(machines)),
        machines > 0 ? t('summary.inSync', number(machinesInSync)) : null,
      ]}
      tabs={tabs}
      counts={({ machines }) => ({ machines })}
    />
  )
}
