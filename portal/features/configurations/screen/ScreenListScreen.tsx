import { useTranslation } from 'react-i18next'
import {
  type ScreenConfiguration,
  screenConfigurationColumns,
  screenConfigurationOrds,
  screenConfigurations,
} from '#contract/configurations/screen-configuration.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: ScreenConfiguration) => ({
  to: '/manage/screen-configuration/$screenConfigurationId',
  params: { screenConfigurationId: id },
})
const columns = recordColumns<ScreenConfiguration>(screenConfigurationColumns, screenConfigurationOrds, {
  lines: ['updatedAt'],
  hidden: ['createdAt'],
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('screen-configuration:filter.search') },
]

/** What the touch screens of machines show. */
export default function ScreenListScreen() {
  const { t } = useTranslation('screen-configuration')
  return (
    <ListScreen
      id="screenConfigurations"
      words="screen-configuration"
      row={screenConfigurations.listScreenConfigurations}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'screen.write', does: { to: '/manage/screen-configuration/create' } }}
      exports="screenConfigurations"
    />
  )
}
