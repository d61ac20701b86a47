import { Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { vpConfigurations } from '#contract/configurations/vp-configuration.ts'
import { cashDatabases } from '#contract/updates/cash-database.ts'
import { firmwares } from '#contract/updates/firmware.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import common from '../CommandText.module.css'
import type { Draft } from './commandOrder.ts'
import type { Faults } from './useFaults.ts'

/** What the commands that name something of ours name, by their types. */
const objects = {
  11: 'firmware',
  13: 'database',
  14: 'firmware',
  15: 'database',
  19: 'vpConfiguration',
} as const
type NamedType = keyof typeof objects
/** Updates of the machine itself; the others are for its peripherals. */
const machineUpdates: readonly number[] = [11, 13]
const paths = { firmware: 'firmwareId', database: 'cashDatabaseId', vpConfiguration: 'vpConfigurationId' } as const
const mostOptions = 100

export const isNamed = (type: number): type is NamedType => Object.hasOwn(objects, type)

interface Props {
  type: NamedType
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: Faults
}

/** The firmware, database or configuration of the visual programmer to send, from its list. */
export function ObjectField({ type, draft, change, faults }: Props) {
  const { t } = useTranslation('remote-command')
  const object = objects[type]
  const path = paths[object]
  return (
    <Stack gap="sm" maw={640} pt="hair" pb="snug">
      <Select
        label={t(`field.${object}`)}
        description={t(object === 'vpConfiguration' ? 'field.vpConfigurationText' : 'field.releaseText')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        required
        searchable
        classNames={{ description: common.fine }}
        placeholder={t('field.choose')}
        data={useObjects(type)}
        value={draft.objectId || null}
        onChange={(id) => change({ objectId: id ?? '' })}
        onBlur={faults.leave(path)}
        error={faults.of(path)}
      />
    </Stack>
  )
}

/** What can be sent by a command. */
function useObjects(type: NamedType): { value: string; label: string }[] {
  const { t } = useTranslation('remote-command')
  const { id: merchantId } = useMerchant()
  const object = objects[type]
  const params = { merchantId }
  const page = { page: 1, size: mostOptions } as const
  const query = { ...page, hasFile: 'true', isMachines: machineUpdates.includes(type) ? 'true' : 'false' } as const
  const firmware = useQuery({ ...queryOf(firmwares.listFirmwares, { query }), enabled: object === 'firmware' })
  const databases = useQuery({
    ...queryOf(cashDatabases.listCashDatabases, { params, query }),
    enabled: object === 'database',
  })
  const configurations = useQuery({
    ...queryOf(vpConfigurations.listVpConfigurations, { params, query: page }),
    enabled: object === 'vpConfiguration',
  })
  const typesOf = ({ deviceTypes }: { deviceTypes: readonly (keyof typeof deviceTypeNames)[] }) =>
    deviceTypes.map((one) => deviceTypeNames[one]).join(', ')
  const partOf = ({ peripheral }: { peripheral: string | null }) =>
    peripheral === null ? [] : [t(`peripheral.${peripheral}`)]
  const optionsOf = {
    firmware: () =>
      (firmware.data?.items ?? []).map((one) => ({
        value: one.id,
        label: [...partOf(one), one.release, typesOf(one)].join(' · '),
      })),
    database: () =>
      (databases.data?.items ?? []).map((one) => ({
        value: one.id,
        label: [...partOf(one), one.name, one.release, one.currency, typesOf(one)].join(' · '),
      })),
    vpConfiguration: () =>
      (configurations.data?.items ?? []).map((one) => ({
        value: one.id,
        label: [one.name, deviceTypeNames[one.deviceType]].join(' · '),
      })),
  }
  return optionsOf[object]()
}
