import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Licence, LicenceFields, licences, NewLicences } from '#contract/licences/licence.ts'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { call } from '#portal/app/api.ts'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { DeleteButton } from '#portal/ui/page/DeleteButton.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { LicenceActions } from './LicenceActions.tsx'
import { LicenceHistory } from './LicenceHistory.tsx'
import { LicenceState } from './LicenceState.tsx'
import { licenceCards, machineCards } from './licenceFields.tsx'
import { licenceLooks, nameOfStatus } from './licenceLooks.ts'

const list = '/service-manager'
const shared = {
  words: 'licence',
  param: 'licenceId',
  get: licences.getLicence,
  update: licences.updateLicence,
  list: { to: list },
}

/** Several new licences, as the answer of the order names them. */
interface LicenceOrder {
  id: string
  version: number
  items: Licence[]
}

const { Create: New } = recordScreens<LicenceOrder>({
  ...shared,
  schema: NewLicences,
  cards: { ...machineCards, ...licenceCards },
  create: licences.createLicences,
  newIn: ({ language }) => ({
    language,
    features: ['Connector_Basic'],
    type: 'cashlogy',
    operationMode: 'till',
    maintenanceType: 'none',
  }),
  placeOf: ({ items }) =>
    items.length === 1
      ? { to: '/service-manager/$licenceId', params: { licenceId: items[0]?.id ?? '' } }
      : { to: list },
})
export const Create = () => <New />

const { Details } = recordScreens<Licence>({
  ...shared,
  schema: LicenceFields,
  cards: licenceCards,
  create: licences.createLicence,
  placeOf: ({ id }) => ({ to: '/service-manager/$licenceId', params: { licenceId: id } }),
  valueWords: {
    type: (value) => `licenceType.${value}`,
    operationMode: (value) => `operationMode.${value}`,
    maintenanceType: (value) => `maintenanceType.${value}`,
  },
  valueText: (_, value) => (Array.isArray(value) ? value.join(', ') : undefined),
})

/** A licence: what users fill in, its machine and connector, its history, and what may happen next. */
export function Page() {
  const { t } = useTranslation('vocabulary')
  const answer = useRecord(licences.getLicence, 'licenceId')
  const licence = answer.data
  return (
    <DetailScreen
      query={answer}
      merchantId={licence?.merchantId}
      title={licence?.name}
      aside={licence && <StatusBadge of={licenceLooks} value={nameOfStatus(licence.status)} />}
      subtitle={licence && [licence.establishmentName, licence.posName, t(`licenceType.${licence.type}`)].join(' · ')}
      actions={
        licence && (
          <>
            <LicenceActions licence={licence} />
            {licence.status === licenceStatuses.pending && licence.sentAt === null && (
              <DeleteButton
                kind="licence"
                name={licence.name}
                remove={() =>
                  call(licences.deleteLicence, { params: { merchantId: licence.merchantId, licenceId: licence.id } })
                }
                list={list}
              />
            )}
          </>
        )
      }
      tabs={undefined}
    >
      {licence && (
        <Columns of="minmax(0, 3fr) minmax(0, 2fr)" from="sm" gap="md" align="start">
          <Details />
          <Stack gap="md" miw={0}>
            <LicenceState licence={licence} />
            <LicenceHistory licence={licence} />
          </Stack>
        </Columns>
      )}
    </DetailScreen>
  )
}
