import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Licence, licenceColumns, licenceOrds, licences } from '#contract/licences/licence.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { licenceFeatures, licenceStatuses, licenceTypes } from '#contract/vocabulary/licence.ts'
import { useMachineOptions } from '#portal/features/sales/transaction/useMachineOptions.ts'
import { anyKnown, anyOf, oneOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter, View } from '#portal/ui/list/types.ts'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { licenceLooks, nameOfStatus } from './licenceLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: Licence) => ({ to: '/service-manager/$licenceId', params: { licenceId: id } })
const toneOf = ({ status }: Licence) => (status === licenceStatuses.expired ? ('crit' as const) : undefined)

const open = [licenceStatuses.pending, licenceStatuses.sent].map(String)
const inUse = [...open, ...[licenceStatuses.confirmed, licenceStatuses.activated].map(String)]

const columns = (say: Say) => {
  const day = (value: string | null) => value && say.format.day(value)
  return recordColumns<Licence>(licenceColumns, licenceOrds, {
    lines: ['establishmentName', 'posName'],
    hidden: [
      'features',
      'operationMode',
      'maintenanceType',
      'installedOn',
      'contactName',
      'clientEmail',
      'deviceType',
      'boardSerial',
      'connectorVersion',
      'unassignCase',
      'posSerial',
      'activatedAt',
      'organization',
    ],
    looks: {
      status: {
        card: 'badge',
        cell: ({ status }) => <StatusBadge of={licenceLooks} value={nameOfStatus(status)} />,
      },
      posSerial: { cell: ({ posSerial }) => <CopyId value={posSerial} /> },
      deviceType: {
        cell: ({ deviceType }) => deviceTypeNames[deviceType as keyof typeof deviceTypeNames] ?? deviceType,
      },
      features: {
        cell: ({ features }) => features.map((one) => say.t(`vocabulary:licenceFeature.${one}`)).join(' · '),
      },
      installedOn: { cell: ({ installedOn }) => day(installedOn) },
      expiresOn: { card: 'aside', cell: ({ expiresOn }) => day(expiresOn) },
    },
  })(say)
}

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
