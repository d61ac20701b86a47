import { useTranslation } from 'react-i18next'
import {
  type VpConfigurationRow,
  vpConfigurationColumns,
  vpConfigurationOrds,
  vpConfigurations,
} from '#contract/configurations/vp-configuration.ts'
import { deviceTypeNames, vpDeviceTypes } from '#contract/vocabulary/device.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: VpConfigurationRow) => ({
  to: '/devices/vp/configurations/$vpConfigurationId',
  params: { vpConfigurationId: id },
})

const columns = recordColumns<VpConfigurationRow>(vpConfigurationColumns, vpConfigurationOrds, ({ t }: Say) => ({
  lines: ['deviceType', 'machines', 'machinesInSync'],
  hidden: ['schemaVersion', 'createdAt'],
  looks: {
    problems: {
      align: undefined,
      card: 'badge',
      cell: ({ problems }) =>
        problems === 0 ? (
          <Badge tone="ok" mark="check">
            {t('vp-configuration:valid')}
          </Badge>
        ) : (
          <Badge tone="crit" mark="triangle">
            {t('vp-configuration:editor.mistakes', { count: problems })}
          </Badge>
        ),
    },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('vp-configuration:filter.search') },
  anyOf(
    'deviceTypes',
    t('vp-configuration:field.deviceType'),
    vpDeviceTypes,
    (value) => deviceTypeNames[value as keyof typeof deviceTypeNames],
  ),
  whether(
    'isValid',
    t('vp-configuration:filter.validity'),
    t('vp-configuration:valid'),
    t('vp-configuration:filter.withMistakes'),
  ),
  whether(
    'hasMachines',
    t('vp-configuration:filter.machines'),
    t('vp-configuration:filter.withMachines'),
    t('vp-configuration:filter.withoutMachines'),
  ),
]

/** Configurations of the visual programmer. */
export default function VpListScreen() {
  const { t } = useTranslation('vp-configuration')
  return (
    <ListScreen
      id="vpConfigurations"
      words="vp-configuration"
      row={vpConfigurations.listVpConfigurations}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'vpConfiguration.write', does: { to: '/devices/vp/configurations/create' } }}
      exports="vpConfigurations"
    />
  )
}
