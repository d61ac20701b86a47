import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Firmware, firmwareColumns, firmwareOrds, firmwares } from '#contract/updates/firmware.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { firmwareLevels } from '#contract/vocabulary/update.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { releaseLooks } from '../update-file/releaseLooks.ts'

const order = { ord: 'release', ordType: 'DESC' } as const
const placeOf = ({ id }: Firmware) => ({ to: '/admin/firmwares/$firmwareId', params: { firmwareId: id } })

const columns = recordColumns<Firmware>(firmwareColumns, firmwareOrds, (say: Say) => ({
  lines: ['level', 'deviceTypes'],
  looks: { level: { cell: ({ level }) => say.t(`level.${level}`) }, ...releaseLooks(say) },
}))

/** The provider's firmware versions. */
export default function FirmwareListScreen() {
  const { t } = useTranslation('firmware')
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('levels', t('field.level'), firmwareLevels, (level) => t(`level.${level}`)),
      anyOf('deviceTypes', t('field.deviceTypes'), deviceTypes, (type) => deviceTypeNames[type]),
      whether('isMachines', t('filter.target'), t('filter.machines'), t('filter.peripherals')),
      whether('hasFile', t('filter.file'), t('filter.withFile'), t('filter.withoutFile')),
    ],
    [t],
  )
  return (
    <ListScreen
      id="firmwares"
      words="firmware"
      row={firmwares.listFirmwares}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'firmware.write', does: { to: '/admin/firmwares/create' } }}
    />
  )
}
