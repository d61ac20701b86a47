import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Licence, licenceColumns, licenceOrds, licences } from '#contract/licences/licence.ts'
import { licenceFeatures, licenceStatuses, licenceTypes } from '#contract/vocabulary/licence.ts'
import { anyKnown, anyOf, oneOf } from '#portal/ui/list/filters/filters.ts'
import { useMachineOptions } from '#portal/ui/list/filters/useMachineOptions.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter, View } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { licenceLooks, nameOfStatus } from './licenceLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: Licence) => ({ to: '/service-manager/$licenceId', params: { licenceId: id } })
const toneOf = ({ status }: Licence) => (status === licenceStatuses.expired ? ('crit' as const) : undefined)

const open = [licenceStatuses.pending, licenceStatuses.sent].map(String)
const inUse = [...open, ...[licenceStatuses.confirmed, licenceStatuses.activated].map(String)]

const hidden = [
  ...['features', 'operationMode', 'maintenanceType', 'installedOn', 'contactName', 'clientEmail', 'deviceType'],
  ...['boardSerial', 'connectorVersion', 'unassignCase', 'posSerial', 'activatedAt', 'organization'],
]
const columns = recordColumns<Licence>(licenceColumns, licenceOrds, ({ t }: Say) => ({
  lines: ['establishmentName', 'posName'],
  aside: 'expiresOn',
  hidden,
  looks: {
    status: { card: 'badge', cell: ({ status }) => <StatusBadge of={licenceLooks} value={nameOfStatus(status)} /> },
    features: { cell: ({ features }) => features.map((one) => t(`vocabulary:licenceFeature.${one}`)).join(' · ') },
  },
}))

/** The service manager: licences of the connector application. */
export default function LicenceListScreen() {
  const { t } = useTranslation(['licence', 'vocabulary'])
  const machines = useMachineOptions()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('statuses', t('column.status'), licenceStatuses, (name) => t(`vocabulary:licenceStatus.${name}`)),
      anyOf('types', t('field.type'), licenceTypes, (type) => t(`vocabulary:licenceType.${type}`)),
      anyOf('features', t('field.features'), licenceFeatures, (one) => t(`vocabulary:licenceFeature.${one}`)),
      ...anyKnown('posIds', t('column.posName'), machines),
      oneOf('endsWithin', t('filter.endsWithin'), [7, 30, 90], (count) => t('filter.days', { count })),
    ],
    [t, machines],
  )
  const views = useMemo(
    (): View[] => [
      { id: 'open', name: t('view.open'), filters: { statuses: open } },
      { id: 'active', name: t('view.active'), filters: { statuses: [String(licenceStatuses.activated)] } },
      { id: 'ending', name: t('view.ending'), filters: { endsWithin: ['30'] } },
      { id: 'demos', name: t('view.demos'), filters: { types: ['cashlogyDemo'], statuses: inUse } },
    ],
    [t],
  )
  return (
    <ListScreen
      id="licences"
      words="licence"
      row={licences.listLicences}
      columns={columns}
      filters={filters}
      order={order}
      views={views}
      placeOf={placeOf}
      toneOf={toneOf}
      create={{ name: t('create'), needs: 'license.write', does: { to: '/service-manager/create' } }}
      exports="licences"
    />
  )
}
