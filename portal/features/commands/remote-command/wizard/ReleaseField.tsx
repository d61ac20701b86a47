import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cashDatabases } from '#contract/updates/cash-database.ts'
import { firmwares } from '#contract/updates/firmware.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import common from '../CommandText.module.css'
import classes from './CommandFields.module.css'
import type { Draft } from './commandOrder.ts'
import type { Faults } from './useFaults.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: Faults
}

const [updateFirmware, updatePeripheralFirmware, updateDatabase] = [11, 14, 13]
const shown = 100

/** The version to install, from the list of firmware or of databases. */
export function ReleaseField({ draft, change, faults }: Props) {
  const { t } = useTranslation('remote-command')
  const { id: merchantId } = useMerchant()
  const { type } = draft
  const isFirmware = type === updateFirmware || type === updatePeripheralFirmware
  const isMachines = type === updateFirmware || type === updateDatabase
  const query = { hasFile: 'true', isMachines: isMachines ? 'true' : 'false', page: 1, size: shown } as const
  const ofFirmware = useQuery({ ...queryOf(firmwares.listFirmwares, { query }), enabled: isFirmware })
  const ofDatabases = useQuery({
    ...queryOf(cashDatabases.listCashDatabases, { params: { merchantId }, query }),
    enabled: !isFirmware,
  })
  const typesOf = ({ deviceTypes }: { deviceTypes: readonly (keyof typeof deviceTypeNames)[] }) =>
    deviceTypes.map((one) => deviceTypeNames[one]).join(', ')
  const partOf = ({ peripheral }: { peripheral: string | null }) =>
    peripheral === null ? [] : [t(`peripheral.${peripheral}`)]
  const options = isFirmware
    ? (ofFirmware.data?.items ?? []).map((one) => ({
        value: one.id,
        label: [...partOf(one), one.release, typesOf(one)].join(' · '),
      }))
    : (ofDatabases.data?.items ?? []).map((one) => ({
        value: one.id,
        label: [...partOf(one), one.name, one.release, one.currency, typesOf(one)].join(' · '),
      }))
  const path = isFirmware ? 'firmwareId' : 'cashDatabaseId'
  return (
    <div className={classes.fields}>
      <Select
        label={t(isFirmware ? 'field.firmware' : 'field.database')}
        description={t('field.releaseText')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        required
        searchable
        classNames={{ description: common.fine }}
        placeholder={t('field.choose')}
        data={options}
        value={draft.releaseId || null}
        onChange={(id) => change({ releaseId: id ?? '' })}
        onBlur={faults.leave(path)}
        error={faults.of(path)}
      />
    </div>
  )
}
