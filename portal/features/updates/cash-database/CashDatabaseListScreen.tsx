import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CashDatabase,
  cashDatabaseColumns,
  cashDatabaseOrds,
  cashDatabases,
} from '#contract/updates/cash-database.ts'
import { deviceTypeNames, deviceTypes } from '#contract/vocabulary/device.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { releaseLooks } from '../update-file/releaseLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: CashDatabase) => ({
  to: '/manage/cash-database/$cashDatabaseId',
  params: { cashDatabaseId: id },
})

const columns = recordColumns<CashDatabase>(cashDatabaseColumns, cashDatabaseOrds, (say: Say) => ({
  lines: ['release', 'deviceTypes'],
  looks: releaseLooks(say),
}))

/** Cash databases and databases of peripherals. */
export default function CashDatabaseListScreen() {
  const { t } = useTranslation('cash-database')
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      anyOf('deviceTypes', t('field.deviceTypes'), deviceTypes, (type) => deviceTypeNames[type]),
      whether('isMachines', t('filter.target'), t('filter.machines'), t('filter.peripherals')),
      whether('hasFile', t('filter.file'), t('filter.withFile'), t('filter.withoutFile')),
    ],
    [t],
  )
  return (
    <ListScreen
      id="cashDatabases"
      words="cash-database"
      row={cashDatabases.listCashDatabases}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'cashDatabase.write', does: { to: '/manage/cash-database/create' } }}
      exports="cashDatabases"
    />
  )
}
