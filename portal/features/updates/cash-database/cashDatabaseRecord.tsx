import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  type CashDatabase,
  cashDatabaseFiles,
  cashDatabases,
  NewCashDatabase,
} from '#contract/updates/cash-database.ts'
import { kindOfDatabase } from '#contract/vocabulary/update.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { type DrawField, text } from '#portal/ui/form/record/RecordFields.tsx'
import { recordScreens } from '#portal/ui/form/record/RecordForm.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { FileCard } from '../update-file/FileCard.tsx'
import { RunningVersions } from '../update-file/RunningVersions.tsx'
import { deviceTypesField, peripheralField, updateInUse } from '../update-file/updateFields.tsx'

const currency: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...field }) => (
  <SelectField {...field} isSearchable options={Object.keys(currencies).map((value) => ({ value, label: value }))} />
)

/** A cash database as users register and edit it. */
const { Create, Details } = recordScreens<CashDatabase>({
  words: 'cash-database',
  schema: NewCashDatabase,
  param: 'cashDatabaseId',
  cards: {
    what: { name: text, release: text, currency, deviceTypes: deviceTypesField, peripheral: peripheralField },
  },
  get: cashDatabases.getCashDatabase,
  create: cashDatabases.createCashDatabase,
  update: cashDatabases.updateCashDatabase,
  placeOf: ({ id }) => ({ to: '/manage/cash-database/$cashDatabaseId', params: { cashDatabaseId: id } }),
  list: { to: '/manage/cash-database' },
})

export { Create }

/** A cash database: its fields, its file, and the versions that machines run. */
export const Page = () => (
  <RecordPage
    get={cashDatabases.getCashDatabase}
    param="cashDatabaseId"
    words="cash-database"
    remove={cashDatabases.deleteCashDatabase}
    list="/manage/cash-database"
    inUse={updateInUse('CashDatabaseInUse')}
    subtitle={({ release, currency: code }) => [release, code]}
  >
    <Columns of="minmax(0, 3fr) minmax(0, 2fr)" from="sm" gap="md" align="start">
      <Details />
      <VersionFacts />
    </Columns>
  </RecordPage>
)

function VersionFacts() {
  const { t } = useTranslation('cash-database')
  const { data } = useRecord(cashDatabases.getCashDatabase, 'cashDatabaseId')
  if (!data) return null
  const { id, merchantId, file, peripheral, deviceTypes, release } = data
  return (
    <Stack gap="md" miw={0}>
      <FileCard
        title={t('card.file')}
        file={file}
        row={cashDatabaseFiles.uploadCashDatabaseFile}
        params={{ merchantId, cashDatabaseId: id }}
      />
      <RunningVersions
        words="cash-database"
        kind={kindOfDatabase(peripheral)}
        {...{ merchantId, peripheral, deviceTypes, release }}
      />
    </Stack>
  )
}
