import { useTranslation } from 'react-i18next'
import { noVendProfiles } from '#contract/catalogue/no-vend-profile.ts'
import { useRecordFilter } from '#portal/ui/list/filters/useRecordFilter.ts'

const rows = {
  list: noVendProfiles.listNoVendProfiles,
  get: noVendProfiles.getNoVendProfile,
  param: 'noVendProfileId',
}

/** A filter by one no-vend profile, for users who may see profiles. */
export function useNoVendFilter(isEnabled: boolean) {
  const { t } = useTranslation('shell')
  return useRecordFilter(rows, { key: 'noVendProfileId', kind: 'select', name: t('screens.noVendProfile') }, isEnabled)
}
