import { useTranslation } from 'react-i18next'
import {
  type NoVendProfile,
  noVendProfileColumns,
  noVendProfileOrds,
  noVendProfiles,
} from '#contract/catalogue/no-vend-profile.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: NoVendProfile) => ({
  to: '/manage/no-vend-profiles/$noVendProfileId',
  params: { noVendProfileId: id },
})
const columns = recordColumns<NoVendProfile>(noVendProfileColumns, noVendProfileOrds, {
  lines: ['machines', 'machinesInSync'],
  hidden: ['createdAt'],
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('no-vend-profile:filter.search') },
  whether(
    'hasMachines',
    t('no-vend-profile:filter.machines'),
    t('no-vend-profile:filter.withMachines'),
    t('no-vend-profile:filter.withoutMachines'),
  ),
]

/** No-vend profiles: products that machines withhold, and the times. */
export default function NoVendProfileListScreen() {
  const { t } = useTranslation('no-vend-profile')
  return (
    <ListScreen
      id="noVendProfiles"
      words="no-vend-profile"
      row={noVendProfiles.listNoVendProfiles}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'noVendProfile.write', does: { to: '/manage/no-vend-profiles/create' } }}
      exports="noVendProfiles"
    />
  )
}
